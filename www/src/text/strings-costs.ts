/** Strings of the costs of mistakes, loaded only when costs are set. */
import type { CostsProblem } from '../compare/answers';

export const costs = {
  each: (classes: number) => `What any mistake with a class costs (${classes} classes)`,
  missed: (name: string) => `A missed “${name}”`,
  caption: 'What an answer (across) costs by the class in the file (down)',
  miss: (name: string) => `Cost of missing “${name}”`,
  alarm: (name: string) => `Cost of a false “${name}”`,
  cell: (truth: string, said: string) => `Cost of answering “${said}” where the file says “${truth}”`,
  problem: (problem: CostsProblem, classes: readonly string[]) => {
    if (problem.kind === 'zero')
      return 'All costs are zero, so every answer is as good. Give one a cost above 0.';
    const which = `The cost of answering “${classes[problem.answer]}” for “${classes[problem.truth]}”`;
    return `${which} is ${problem.kind === 'negative' ? 'negative' : 'no number'}. Give a number from 0 on.`;
  },
};
