import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8');

function colours(block: string): Map<string, string> {
  return new Map(
    [...block.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6});/g)].map(([, name, value]) => [name!, value!]),
  );
}

const [lightBlock, darkBlock] = css.split('@media screen and (prefers-color-scheme: dark)');
const light = colours(lightBlock!);
const dark = new Map([...light, ...colours(darkBlock!)]);

/** Relative luminance as the accessibility guidelines define it. */
function luminance(hex: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const share = parseInt(hex.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}

function contrast(a: string, b: string): number {
  const [high, low] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (high! + 0.05) / (low! + 0.05);
}

const grounds = ['color-bg', 'color-surface', 'color-raised'];

describe.each([
  ['light', light],
  ['dark', dark],
])('%s theme', (_, theme) => {
  const of = (name: string) => {
    const value = theme.get(name);
    if (value === undefined) throw new Error(`no token --${name}`);
    return value;
  };

  it.each(['color-text', 'color-muted', 'color-accent', 'color-accent-strong', 'color-error', 'color-warn'])(
    'text in --%s has 4.5:1 on every ground',
    (name) => {
      for (const ground of grounds)
        expect(contrast(of(name), of(ground)), ground).toBeGreaterThanOrEqual(4.5);
    },
  );

  it('text on filled grounds has 4.5:1', () => {
    for (const [ink, ground] of [
      ['color-accent-text', 'color-accent'],
      ['color-accent-text', 'color-accent-strong'],
      ['color-text', 'color-accent-soft'],
      ['color-accent', 'color-accent-soft'],
      ['color-text', 'color-error-soft'],
      ['color-error', 'color-error-soft'],
      ['color-muted', 'color-error-soft'],
      ['color-text', 'color-warn-soft'],
      ['color-warn', 'color-warn-soft'],
      ['color-muted', 'color-warn-soft'],
    ] as const) {
      expect(contrast(of(ink), of(ground)), `${ink} on ${ground}`).toBeGreaterThanOrEqual(4.5);
    }
  });

  it('marks of classes, borders of controls and the focus ring have 3:1', () => {
    const marks = [
      ...Array.from({ length: 8 }, (_, slot) => `class-${slot}`),
      'color-control',
      'color-branch',
      'color-focus',
    ];
    for (const mark of marks) {
      for (const ground of grounds) {
        expect(contrast(of(mark), of(ground)), `${mark} on ${ground}`).toBeGreaterThanOrEqual(3);
      }
    }
  });

  it('gives every class its own colour', () => {
    expect(new Set(Array.from({ length: 8 }, (_, slot) => of(`class-${slot}`))).size).toBe(8);
  });
});
