/** Strings of a column's details, loaded only when they are opened. */
import { formatCount } from './numbers';

export const column = {
  close: 'Close',
  closeOf: (name: string) => `Close the details of ${name}`,
  why: 'Not used',
  format: 'Written as',
  missingTokens: 'Spelled as missing',
  missingHelp: 'Beside the empty cell. Separate spellings by commas.',
  missingFound: (tokens: readonly string[]) =>
    tokens.length > 0 ? `Found by itself: ${tokens.join(', ')}` : 'None was found.',
  apply: 'Apply',
  asFound: 'Find them again',
  unfitHeading: 'Cells that do not fit',
  unfitHelp: 'They count as missing. Choose another kind for the column, or correct the file.',
  unfitCell: (line: number, cell: string) => `Line ${formatCount(line)}: ${cell}`,
  unfitMore: (count: number) => `and ${formatCount(count)} more`,
  spread: 'Spread',
};
