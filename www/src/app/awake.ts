/**
 * Time during which the page was awake. A lid that closes, or a tab that the browser freezes, stops the page and its workers alike,
 * but not every machine's clock: a time budget would be used up by sleeping.
 */

/** How often the page looks at the clock while it matters, in milliseconds. */
const BEAT_MS = 1000;

/** A longer silence than this was sleep: the page itself never works so long at a time. */
export const SLEEP_MS = 3000;

/** What it needs of the browser. */
export interface Beats {
  now(): number;
  /** Calls `beat` again and again; what it gives ends that. */
  every(ms: number, beat: () => void): () => void;
}

export class AwakeClock {
  private last: number;
  private slept = 0;
  private end: (() => void) | null = null;

  constructor(private readonly beats: Beats) {
    this.last = beats.now();
  }

  /** Milliseconds awake. Only sleep while watching is left out. */
  now(): number {
    const now = this.beats.now();
    const silence = now - this.last;
    this.last = now;
    if (this.end !== null && silence > SLEEP_MS) this.slept += silence - BEAT_MS;
    return now - this.slept;
  }

  /** Begins to watch, or ends. */
  watch(on: boolean): void {
    if (on === (this.end !== null)) return;
    this.now();
    if (on) this.end = this.beats.every(BEAT_MS, () => void this.now());
    else {
      this.end?.();
      this.end = null;
    }
  }
}
