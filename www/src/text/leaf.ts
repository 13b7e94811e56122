// A leaf in a few words: its prediction and the last test on its path, so that leaves with the same
// prediction can be distinguished.

import type { NodeView } from '../protocol';
import { conditionText } from './conditions';
import { cutMiddle } from './fit';
import { shortText } from './words';

/** Maximum letters of a column's name, and of a whole test, in a table's header. */
const [NAME, TEST] = [14, 26];

const OPPOSITES = [
  ['is not ', 'is '],
  ['is one of ', 'is none of '],
  ['is none of ', 'is one of '],
  ['is ', 'is not '],
] as const;

/**
 * The negation of a test of `feature`: `a > 3` for `a ≤ 3`, `Sex is not female` for `Sex is female`,
 * otherwise `not: …`.
 */
export function denied(condition: string, feature: string): string {
  const [left, right, ...more] = condition.split(' ≤ ');
  if (right !== undefined && more.length === 0) return `${left} > ${right}`;
  const test = condition.startsWith(`${feature} `) ? condition.slice(feature.length + 1) : '';
  const [said, opposite] = OPPOSITES.find(([words]) => test.startsWith(words)) ?? [];
  return said === undefined ? `not: ${condition}` : `${feature} ${opposite}${test.slice(said.length)}`;
}

function wayTo(node: NodeView, above: NodeView, short: boolean): string {
  const condition = short ? shortText(above, false) : conditionText(above);
  return node.path.endsWith('L') ? condition : denied(condition, above.feature);
}

function parentOf(nodes: readonly NodeView[], node: NodeView): NodeView | undefined {
  return node.path === '' ? undefined : nodes.find(({ path }) => path === node.path.slice(0, -1));
}

/** The last test before a node; empty for the root. */
export function lastTest(nodes: readonly NodeView[], node: NodeView): string {
  const above = parentOf(nodes, node);
  return above ? wayTo(node, above, true) : '';
}

/** A test cut to fit, keeping its sign and its number. */
export function cutTest(test: string): string {
  // A date has spaces: `joined ≤ 10 Jan 2024`.
  const [, name, rest] = /^(.*)( [≤>] .{1,20})$/.exec(test) ?? [];
  return name === undefined ? cutMiddle(test, TEST) : cutMiddle(name, NAME) + rest;
}

/** Every test on the path to a node, from the root down. */
export function wholeWay(nodes: readonly NodeView[], node: NodeView): string[] {
  const above = parentOf(nodes, node);
  return above ? [...wholeWay(nodes, above), wayTo(node, above, false)] : [];
}
