/** What a view needs that looks at rows in both trees. */
import type { ProblemInfo, TreeView } from '../../protocol';
import type { Part } from '../../compare/judged';
import type { TreeNames } from '../../text/strings';

export interface JudgedProps {
  rows: Float32Array;
  part: Part;
  problem: ProblemInfo;
  cart: TreeView;
  gradient: TreeView;
  /** The trees' names, as headings. */
  names: TreeNames;
}
