import { describe, expect, it } from 'vitest';
import { ROWS } from '../fixtures/rows';
import { errorsOf, spreadAround } from './errors';

describe('errors of numbers', () => {
  it('are answers minus truth, thinned for the drawing only', () => {
    const { points, errors } = errorsOf(ROWS, 'test', 'gradient', 2);
    expect(errors).toEqual([-1, 0, 1, 0]);
    expect(points).toHaveLength(2);
    expect(spreadAround([-9, -1, 0, 0.4, 9], 1, 4)).toEqual([2, 0, 2, 1]);
  });
});
