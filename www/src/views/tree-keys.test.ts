import { describe, expect, it } from 'vitest';
import { IRIS } from '../fixtures/trees';
import { layoutTree } from '../draw/tree';
import { keyMove, visibleFor } from './tree-keys';

const open = layoutTree(IRIS, new Set(), 1000).nodes;
const closed = layoutTree(IRIS, new Set(['R']), 1000).nodes;

describe('keyMove', () => {
  it.each([
    ['ArrowDown', '', { kind: 'focus', path: 'L' }],
    ['ArrowDown', 'L', { kind: 'focus', path: 'R' }],
    ['ArrowDown', 'RR', null],
    ['ArrowUp', 'R', { kind: 'focus', path: 'L' }],
    ['ArrowUp', '', null],
    ['Home', 'RR', { kind: 'focus', path: '' }],
    ['End', '', { kind: 'focus', path: 'RR' }],
    ['ArrowRight', 'R', { kind: 'focus', path: 'RL' }],
    ['ArrowRight', 'L', null],
    ['ArrowLeft', 'R', { kind: 'fold', path: 'R' }],
    ['ArrowLeft', 'RL', { kind: 'focus', path: 'R' }],
    ['Enter', 'R', { kind: 'fold', path: 'R' }],
    [' ', 'L', null],
    ['x', 'L', null],
  ])('%s on "%s" of an open tree', (key, path, expected) => {
    expect(keyMove(key, path, open)).toEqual(expected);
  });

  it.each([
    ['ArrowRight', 'R', { kind: 'unfold', path: 'R' }],
    ['ArrowLeft', 'R', { kind: 'focus', path: '' }],
    ['End', '', { kind: 'focus', path: 'R' }],
    ['Enter', 'R', { kind: 'unfold', path: 'R' }],
  ])('%s on "%s" when it is folded', (key, path, expected) => {
    expect(keyMove(key, path, closed)).toEqual(expected);
  });

  it('knows no node that is not shown', () => {
    expect(keyMove('ArrowDown', 'RL', closed)).toBeNull();
  });
});

it('falls back to the nearest visible ancestor', () => {
  expect(visibleFor('RL', open)).toBe('RL');
  expect(visibleFor('RL', closed)).toBe('R');
  expect(visibleFor('LLRR', open)).toBe('L');
  expect(visibleFor('L', [])).toBeNull();
});
