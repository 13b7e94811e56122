// An independent reader of `*.tree.json`, written only from the format's description, as a stranger would.

/** Fields of a CSV without quotes, as the tests' own files are. */
export function rowsOf(csv) {
  const [head, ...lines] = csv.trim().split(/\r?\n/);
  const names = head.split(',');
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, index) => [names[index], cell])));
}

/**
 * A row (column name → cell) through the tree: the leaf's id, its raw outputs and the predicted class or
 * number.
 */
export function walk(document, row) {
  const { nodes, root } = document.trees[0];
  let node = nodes[root];
  while (node.left_child !== undefined) {
    node = nodes[goesLeft(document, node, row) ? node.left_child : node.right_child];
  }
  return { leaf: node.node_id, prediction: answer(document, node.leaf_value) };
}

function goesLeft(document, node, row) {
  const feature = document.features[node.split_feature];
  const cell = row[feature.name] ?? '';
  const missing = cell === '' || feature.missing_tokens.includes(cell);
  switch (node.split_type) {
    case 'numerical': {
      const value = missing ? NaN : Math.fround(Number(cell));
      return Number.isNaN(value) ? node.default_left : value <= Math.fround(node.threshold);
    }
    case 'categorical':
      return missing || !feature.categories.includes(cell)
        ? node.default_left
        : node.category_list.includes(cell);
    default:
      throw new Error(`unknown split_type ${node.split_type}`);
  }
}

function answer({ target, post_transform: transform }, value) {
  if (target.classes === undefined) return value[0];
  // Neither transform changes which output is the largest; a single logit is that of the second class.
  const outputs = transform === 'logistic' ? [0, value[0]] : value;
  return target.classes[outputs.indexOf(Math.max(...outputs))];
}
