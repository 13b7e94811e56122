// One texture per class slot: lines over the class's colour in a tile of `TILE` pixels, so that classes can
// be distinguished without colour.

export const TILE = 6;

/** Paths of the lines; the first class is plain. */
export const TEXTURES: readonly string[] = [
  '',
  'M-1,1L1,-1M0,6L6,0M5,7L7,5',
  'M3,2.2V3.8M0,5.2V6M6,5.2V6M0,0V0.8M6,0V0.8',
  'M0,3H6',
  'M3,0V6',
  'M-1,5L1,7M0,0L6,6M5,-1L7,1',
  'M3,0V6M0,3H6',
  'M0,6L6,0M0,0L6,6',
];
