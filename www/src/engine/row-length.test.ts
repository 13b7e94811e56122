import { expect, it } from 'vitest';
import { bytesPerRow } from './row-length';

it('knows how long a row is', async () => {
  expect(await bytesPerRow(new Blob(['ab,cd\n'.repeat(500)]))).toBe(6);
  expect(await bytesPerRow(new Blob(['one line']))).toBe(8);
});
