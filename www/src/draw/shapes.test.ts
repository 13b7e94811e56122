import { describe, expect, it } from 'vitest';
import { CLASS_SLOTS } from './classes';
import { shapeAt } from './shapes';

describe('marks of classes', () => {
  it('are different for every slot and closed', () => {
    const all = Array.from({ length: CLASS_SLOTS }, (_, slot) => shapeAt(slot, 10, 20, 2.5));
    expect(new Set(all).size).toBe(CLASS_SLOTS);
    for (const d of all) expect(d).toMatch(/^M10,20m.*z$/);
  });
});
