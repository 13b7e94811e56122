/** Strings of groups without a target, loaded only when there are groups. */
export const groups = {
  heading: 'What distinguishes the groups',
  waiting: 'The groups are described here once the training has ended.',
  how: (columns: string) =>
    `Found by learning to predict ${columns} from the other columns. “Elsewhere” is the mean of all rows outside the branch.`,
  branch: 'Branch',
  rows: 'Rows',
  different: 'What is different here',
  all: 'all rows',
  level: (level: number) => `Level ${level}`,
  branchOf: ({ condition, holds }: { condition: string; holds: boolean }) =>
    `${holds ? 'yes' : 'no'}: ${condition}`,
  download: 'Download the rows with their groups',
  downloadHelp: 'The file again as CSV, with the group of every row as one more column.',
  writing: 'Writing the file.',
};
