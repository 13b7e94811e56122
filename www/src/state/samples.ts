/** The sample files that come with the page. */

export interface Sample {
  /** The key in the address and in `sample-<name>`. */
  name: string;
  /** The file below `samples/`. */
  file: string;
  /** The column to predict. */
  target: string;
  /** The learner and the depth with which the sample tells its story. */
  model: string;
  depth: number;
}

export const SAMPLES: readonly Sample[] = [
  // Two levels hold the pattern exactly; a greedy tree has no reason to begin with it.
  { name: 'xor', file: 'xor.csv', target: 'label', model: 'gradtree', depth: 2 },
  // As many trees are level here with either learner: see the README beside the samples.
  { name: 'raisin', file: 'raisin.csv', target: 'Class', model: 'gradtree', depth: 3 },
  { name: 'iris', file: 'iris.csv', target: 'class', model: 'gradtree', depth: 3 },
  // Few rows and a rare class: see the README beside the samples.
  { name: 'echocardiogram', file: 'echocardiogram.csv', target: 'alive-at-1', model: 'gradtree', depth: 4 },
  // Weighted sums of columns say in three levels what cuts of one column do not.
  { name: 'airfoil', file: 'airfoil.csv', target: 'scaled-sound-pressure', model: 'get', depth: 3 },
];

/** The sample the page opens with. */
export const FIRST_SAMPLE = SAMPLES[0] as Sample;

export function sampleNamed(name: string): Sample | null {
  return SAMPLES.find((sample) => sample.name === name) ?? null;
}
