import { describe, expect, it } from 'vitest';
import { ROWS } from '../fixtures/rows';
import { disagreement, verdictOf } from './disagreement';

describe('a disagreement', () => {
  it('lists the leaves whose answers differ and who is right', () => {
    const found = disagreement(ROWS, 'test', false, 10);
    expect(found).toMatchObject({
      differ: 2,
      all: 4,
      right: { cart: 1, gradient: 1 },
      cart: [1, 2],
      gradient: [1],
      omitted: 0,
    });
    expect(found.cells[0]![0]).toMatchObject({ rows: 1, cart: 1, gradient: 0 });
    expect(disagreement(ROWS, 'test', false, 1).omitted).toBe(1);
  });

  it('is judged by the clear majority', () => {
    expect(verdictOf({ rows: 5, cart: 0, gradient: 0 })).toBe('neither');
    expect(verdictOf({ rows: 9, cart: 8, gradient: 1 })).toBe('cart');
    expect(verdictOf({ rows: 9, cart: 0, gradient: 1 })).toBe('gradient');
    expect(verdictOf({ rows: 9, cart: 4, gradient: 5 })).toBe('mixed');
  });
});
