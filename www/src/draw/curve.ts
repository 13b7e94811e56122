/** One epoch of a training: the losses of restart `restart` (from 1) after `epoch` epochs. */
export interface LossPoint {
  restart: number;
  epoch: number;
  train: number;
  valid: number;
}
