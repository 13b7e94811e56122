import { describe, expect, it, vi } from 'vitest';
import type { FromWorker, Reply } from '../messages';
import type { Event, Request } from '../protocol';
import { progress } from '../fixtures/replies';
import { INITIAL_STATE, type State } from '../state/model';
import { reduce } from '../state/reducer';
import { isBudgetUsed } from '../state/selectors';
import type { Engine } from './engine';
import { CHECKPOINT_MS, Loop, PROGRESS_MS } from './loop';
import { SLICE_MS } from './slices';

/**
 * A training of `total` steps, each of which takes a millisecond of the test's clock; ten steps are an epoch.
 */
class FakeEngine implements Engine {
  step = 0;
  run = 0;
  slices: number[] = [];
  constructor(
    readonly clock: { now: number },
    readonly total: number,
  ) {}
  ready(): Event {
    return { kind: 'ready', run: 0, version: 'test', learners: [], recipes: [], formats: [] };
  }
  handle(request: Request): Reply {
    const { run } = request;
    if (request.kind === 'train') {
      this.run = run;
      this.step = 0;
      return { event: { kind: 'started', run } as never };
    }
    if (request.kind === 'unit') {
      this.run = run;
      this.step = 0;
      return { event: { kind: 'helping', run } as never };
    }
    if (request.kind === 'take') {
      this.waitsAt = NaN;
      return { event: { kind: 'taken', run } as never };
    }
    if (request.kind === 'stop') return { event: { kind: 'trained', run } as never };
    return { event: { kind: 'opened', run } as never };
  }
  /** Remaining steps of the greedy tree; each takes as long as a step of the training. */
  growth = 0;
  /** Milliseconds of a step, of a report and of a copy. */
  ms = { step: 1, report: 0, copy: 0 };
  beginTrain(request: Request): Reply {
    const reply = this.handle(request);
    return this.growth > 0 ? { event: { kind: 'growing', run: this.run, share: 0 } } : reply;
  }
  growOn(steps: number): Reply {
    const done = Math.min(steps, this.growth);
    this.growth -= done;
    this.clock.now += done * this.ms.step;
    if (this.growth === 0) return this.endGrowth();
    return { event: { kind: 'growing', run: this.run, share: 0.5 } };
  }
  endGrowth(): Reply {
    this.growth = 0;
    return { event: { kind: 'started', run: this.run } as never };
  }
  reserve(): boolean {
    return true;
  }
  feed(): void {}
  beginLoad(request: Request): Reply {
    return { event: { kind: 'loaded', run: request.run } as never };
  }
  readOn(): Reply {
    throw new Error('nothing is being read');
  }
  identify() {}
  dropLoad(): void {}
  advance(steps: number, toEpochEnd: boolean): boolean {
    const wanted = toEpochEnd ? Math.min(steps, 10 - (this.step % 10)) : steps;
    const end = this.step <= this.waitsAt ? this.waitsAt : this.total;
    const turn = this.step < this.turnsAt ? this.turnsAt : Infinity;
    const done = Math.min(wanted, end - this.step, turn - this.step);
    this.step += done;
    this.clock.now += done * (this.step > this.turnsAt ? 100 : this.ms.step);
    this.slices.push(done);
    return this.step >= this.total;
  }
  /** The step after which steps take a hundred times as long; by default none. */
  turnsAt = Infinity;
  turned(): boolean {
    return this.step === this.turnsAt;
  }
  /** The step at which it waits for others; by default none. */
  waitsAt = NaN;
  waiting(): boolean {
    return this.step === this.waitsAt;
  }
  /** Whether it can still report its state. */
  well = true;
  progress(checkpoint: boolean): Reply {
    if (!this.well) return { event: { kind: 'failed', run: this.run } as never };
    this.clock.now += checkpoint ? this.ms.copy : this.ms.report;
    return { event: { kind: 'progress', run: this.run, checkpoint: checkpoint ? '{}' : null } as never };
  }
}

function setUp(total: number, hash: Promise<string> = Promise.resolve(''), cores = 8) {
  const clock = { now: 0 };
  const engine = new FakeEngine(clock, total);
  const posted: (FromWorker & { at: number })[] = [];
  const tasks: (() => void)[] = [];
  const timers: (() => void)[] = [];
  const loop = new Loop(engine, {
    now: () => clock.now,
    later: (task) => tasks.push(task),
    after: (_ms, task) => timers.push(task),
    post: (message) => posted.push({ ...message, at: clock.now }),
    hash: () => hash,
    cores,
    crash: (error) => {
      throw error;
    },
  });
  /** Runs up to `count` slices. */
  const run = (count = Infinity) => {
    for (let done = 0; done < count && tasks.length > 0; done++) tasks.shift()?.();
  };
  const send = (request: Partial<Request> & { kind: string }, id = 7) =>
    loop.receive({ id, request: { run: 1, ...request } as Request });
  const kinds = () => posted.map(({ event }) => event.kind);
  return { clock, engine, posted, tasks, timers, loop, run, send, kinds };
}

describe('the worker loop and its slices', () => {
  it('begins with one step again where the work turns to longer steps', () => {
    const { run, send, engine } = setUp(1000);
    engine.turnsAt = 300;
    send({ kind: 'train' });
    run();
    const after = engine.slices.slice(
      engine.slices.findIndex((_, at) => engine.slices.slice(0, at).reduce((a, b) => a + b, 0) === 300),
    );
    expect(Math.max(...engine.slices)).toBeGreaterThan(4);
    expect(new Set(after)).toEqual(new Set([1]));
  });
});

describe('the worker loop and the greedy tree', () => {
  it('grows it in slices, says how far it is, and answers the request once it is there', () => {
    const { run, send, engine, posted, kinds } = setUp(50);
    engine.growth = 500;
    send({ kind: 'train' });
    run();
    expect(kinds().filter((kind) => kind === 'growing').length).toBeGreaterThan(4);
    expect(posted.filter(({ id }) => id === 7).map(({ event }) => event.kind)).toEqual(['started']);
    expect(kinds().at(-1)).toBe('trained');
    expect(engine.step).toBe(50);
  });

  it('is stopped within a slice, and takes the tree as it stands', () => {
    const { clock, run, send, engine, posted } = setUp(50);
    engine.growth = 10_000;
    send({ kind: 'train' });
    run(20);
    const asked = clock.now;
    expect(engine.growth).toBeGreaterThan(1000);
    send({ kind: 'stop' }, 8);
    expect(clock.now - asked).toBeLessThanOrEqual(SLICE_MS);
    expect(posted.slice(-3).map(({ id, event }) => [id, event.kind])).toEqual([
      [7, 'started'],
      [0, 'progress'],
      [8, 'trained'],
    ]);
    run();
    expect(engine.step).toBe(0);
  });

  it('is cut off at half of the budget, and says so with what scoring it took', () => {
    const { clock, run, loop, engine, posted } = setUp(50);
    engine.growth = 1_000_000;
    loop.receive({ id: 7, request: { kind: 'train', run: 1 } as never, budget: 4000 });
    run();
    const started = posted.find(({ event }) => event.kind === 'started');
    expect(started).toMatchObject({ id: 7, cut: true, scoring: 0 });
    expect(started?.at).toBeGreaterThanOrEqual(2000);
    expect(started?.at).toBeLessThanOrEqual(2000 + SLICE_MS);
    expect(engine.step).toBe(50);
    expect(clock.now).toBeLessThan(4000);
  });

  it('hears pause once the training has begun, and is called off by another training', () => {
    const { run, send, engine, kinds, posted } = setUp(50);
    engine.growth = 500;
    send({ kind: 'train' });
    run(3);
    send({ kind: 'pause' }, 9);
    expect(kinds()).not.toContain('paused');
    run();
    expect(kinds().slice(-3)).toEqual(['started', 'progress', 'paused']);
    engine.growth = 500;
    send({ kind: 'train', run: 2 }, 10);
    send({ kind: 'train', run: 3 }, 11);
    expect(posted.find(({ id }) => id === 10)).toMatchObject({
      event: { kind: 'failed', run: 2, error: { code: 'cancelled' } },
    });
    run();
    expect(posted.find(({ id }) => id === 11)).toMatchObject({ event: { kind: 'started', run: 3 } });
  });
});

describe('the worker loop and a budget', () => {
  /** The page next to the loop: every message goes through its reducer, which says when the time is up. */
  function train(budget: number, growth: number, total: number, ms: Partial<FakeEngine['ms']>) {
    const page = setUp(total);
    page.engine.growth = growth;
    Object.assign(page.engine.ms, { step: 10, ...ms });
    let state: State = { ...INITIAL_STATE, phase: 'loaded', settings: { ...INITIAL_STATE.settings, budget } };
    state = reduce(state, { type: 'training', run: 1, at: 0 });
    page.send({ kind: 'train' });
    let [heard, stopped] = [0, false];
    while (state.phase === 'training' && (page.tasks.length > 0 || heard < page.posted.length)) {
      page.run(1);
      for (; heard < page.posted.length; heard++) {
        const { at, event, ...bulk } = page.posted[heard]!;
        const tree = { nodes: [] };
        const where = { progress: progress({ share: page.engine.step / total }), tree, result: { tree } };
        const told = event.kind === 'progress' || event.kind === 'trained' ? { ...event, ...where } : event;
        state = reduce(state, { type: 'reply', reply: { ...bulk, event: told as never }, asked: null, at });
        if (state.phase === 'training' && !stopped && isBudgetUsed(state)) {
          stopped = true;
          page.send({ kind: 'stop' }, 8);
        }
      }
    }
    return { ended: page.clock.now, state, stopped, kinds: page.kinds() };
  }

  it.each([
    ['while the greedy tree grows', 2, 1000, 1000, {}],
    ['while the learner trains', 4, 100, 100_000, {}],
    ['with slow reports and copies', 20, 100, 100_000, { report: 200, copy: 900 }],
    ['with long steps', 10, 20, 100_000, { step: 100 }],
  ])('ends %s within its budget and one slice', (_, budget, growth, total, ms) => {
    const { ended, state, stopped, kinds } = train(budget, growth, total, ms);
    expect([stopped, state.phase, kinds.at(-1)]).toEqual([true, 'done', 'trained']);
    const slice =
      Math.max(SLICE_MS, (ms as { step?: number }).step ?? 0) +
      ((ms as { copy?: number }).copy ?? 0) +
      PROGRESS_MS;
    expect(ended).toBeLessThanOrEqual(1050 * budget + slice);
    expect(ended).toBeGreaterThan(600 * budget);
  });

  it('leaves most of the time to the training where reports are slow', () => {
    const { state, ended } = train(20, 1, 100_000, { report: 200, copy: 900 });
    expect(state.progress!.share * 100_000 * 10).toBeGreaterThan(0.7 * ended);
  });
});

describe('the worker loop on few cores', () => {
  const few = (total: number) => {
    const all = setUp(total, Promise.resolve(''), 2);
    /** Runs slices and waits to the end; returns the number of waits. */
    const toEnd = () => {
      let waits = 0;
      for (all.run(); all.timers.length > 0; all.run(), waits++) all.timers.shift()?.();
      return waits;
    };
    return { ...all, toEnd };
  };

  it('leaves them to the page before a training, before its first slice and after every message', () => {
    const { send, kinds, engine, timers, tasks, toEnd } = few(1000);
    send({ kind: 'train' });
    expect(kinds()).toEqual([]);
    timers.shift()?.();
    expect(kinds()).toEqual(['started']);
    expect([tasks.length, timers.length]).toEqual([0, 1]);
    const waits = toEnd();
    expect(engine.step).toBe(1000);
    const messages = kinds().filter((kind) => kind === 'progress').length;
    // The first wait is for the trees, and there is none after the last message.
    expect(messages).toBeGreaterThan(5);
    expect(waits).toBe(messages);
    expect(kinds().at(-1)).toBe('trained');
  });

  it('hears what steers a training that has not begun', () => {
    const { run, send, kinds, engine, timers, toEnd } = few(1000);
    send({ kind: 'train' });
    send({ kind: 'pause' });
    timers.shift()?.();
    expect(kinds()).toEqual(['started', 'progress', 'paused']);
    timers.shift()?.();
    run();
    expect(engine.step).toBe(0);
    send({ kind: 'resume' });
    toEnd();
    expect(kinds().at(-1)).toBe('trained');
  });

  it('answers a training whose place is taken before it has begun', () => {
    const { send, posted, kinds, timers } = few(1000);
    send({ kind: 'train' }, 3);
    send({ kind: 'train', run: 2 }, 4);
    expect(posted.map(({ id, event }) => [id, event.kind])).toEqual([[3, 'failed']]);
    timers.splice(0).forEach((timer) => timer());
    expect(kinds()).toEqual(['failed', 'started']);
    expect(posted.at(-1)?.id).toBe(4);
  });

  it('does not keep a unit of another worker waiting', () => {
    const { run, send, kinds } = few(1000);
    send({ kind: 'unit', index: 3 });
    run();
    expect(kinds()).toEqual(['helping', 'trained']);
  });
});

describe('the worker loop with others', () => {
  it('runs a unit to its end without a word in between', () => {
    const { run, send, kinds, engine } = setUp(1000);
    send({ kind: 'unit', index: 3 });
    run();
    expect(engine.step).toBe(1000);
    expect(kinds()).toEqual(['helping', 'trained']);
  });

  it('holds a unit and goes on with it', () => {
    const { run, send, kinds, engine } = setUp(1000);
    send({ kind: 'unit', index: 3 });
    run(3);
    const at = engine.step;
    send({ kind: 'pause' });
    run();
    expect(engine.step).toBe(at);
    send({ kind: 'resume' });
    run();
    expect(kinds()).toEqual(['helping', 'paused', 'trained']);
  });

  it('waits without turning round and round, reports, and goes on when a unit is brought back', () => {
    const { clock, run, send, kinds, engine, timers } = setUp(1000);
    engine.waitsAt = 500;
    send({ kind: 'train' });
    run();
    expect([engine.step, timers.length]).toEqual([500, 1]);
    const reports = kinds().length;
    for (let waited = 0; waited < 5; waited++) {
      clock.now += PROGRESS_MS;
      timers.shift()?.();
      run();
    }
    expect([engine.step, timers.length, kinds().length]).toEqual([500, 1, reports + 5]);
    send({ kind: 'take', index: 3 });
    run();
    expect(engine.step).toBe(1000);
    expect(kinds().at(-1)).toBe('trained');
    // The remaining timer finds nothing to do.
    timers.shift()?.();
    run();
    expect(kinds().filter((kind) => kind === 'trained')).toHaveLength(1);
  });

  it('can be stopped while it waits', () => {
    const { run, send, kinds, engine } = setUp(1000);
    engine.waitsAt = 500;
    send({ kind: 'train' });
    run();
    send({ kind: 'stop' });
    expect(kinds().at(-1)).toBe('trained');
  });
});

describe('the worker loop', () => {
  it('trains to the end by itself and says so once', () => {
    const { run, send, kinds, posted, engine } = setUp(1000);
    send({ kind: 'train' });
    run();
    expect(engine.step).toBe(1000);
    expect(kinds().filter((kind) => kind === 'trained')).toEqual(['trained']);
    expect(kinds().at(-1)).toBe('trained');
    expect(posted[0]).toMatchObject({ id: 7, event: { kind: 'started' } });
    expect(posted.at(-1)?.id).toBe(0);
  });

  it('reports neither too often nor too seldom, and copies the tree about once a second', () => {
    const { run, send, posted } = setUp(5000);
    send({ kind: 'train' });
    run();
    const frames = posted.filter(({ event }) => event.kind === 'progress').slice(0, -1);
    for (let k = 1; k < frames.length; k++) {
      const gap = (frames[k]?.at ?? 0) - (frames[k - 1]?.at ?? 0);
      expect(gap).toBeGreaterThanOrEqual(PROGRESS_MS);
      expect(gap).toBeLessThan(PROGRESS_MS + 30);
    }
    const copies = frames.filter(({ event }) => event.kind === 'progress' && event.checkpoint !== null);
    expect(copies.length).toBe(Math.floor(5000 / (CHECKPOINT_MS + 30)));
  });

  it('holds between slices and goes on where it was', () => {
    const { run, send, kinds, engine, tasks } = setUp(1000);
    send({ kind: 'train' });
    run(5);
    send({ kind: 'pause' });
    run();
    const held = engine.step;
    expect(held).toBeLessThan(1000);
    expect(kinds().slice(-2)).toEqual(['progress', 'paused']);
    expect(tasks).toHaveLength(0);
    send({ kind: 'resume' });
    run();
    expect(engine.step).toBe(1000);
  });

  it('does not run twice as fast after a quick pause and resume', () => {
    const { send, run, tasks } = setUp(1000);
    send({ kind: 'train' });
    run(3);
    send({ kind: 'pause' });
    send({ kind: 'resume' });
    expect(tasks).toHaveLength(1);
  });

  it('steps one epoch while held, and only then', () => {
    const { send, run, engine, kinds } = setUp(1000);
    send({ kind: 'train' });
    run(2);
    const before = engine.step;
    send({ kind: 'step' });
    expect(engine.step).toBe(before);
    send({ kind: 'pause' });
    send({ kind: 'step' });
    expect(engine.step).toBe(10);
    expect(kinds().at(-1)).toBe('paused');
    send({ kind: 'step' });
    expect(engine.step).toBe(20);
  });

  it('ends a training that finishes during a step', () => {
    const { send, run, kinds } = setUp(12);
    send({ kind: 'train' });
    run(1);
    send({ kind: 'pause' });
    send({ kind: 'step' });
    send({ kind: 'step' });
    expect(kinds().at(-1)).toBe('trained');
  });

  it('gives the tree so far when stopped, and ignores a second stop', () => {
    const { send, run, kinds, tasks } = setUp(1000);
    send({ kind: 'train' });
    run(4);
    send({ kind: 'stop' });
    send({ kind: 'stop' });
    run();
    expect(kinds().filter((kind) => kind === 'trained')).toHaveLength(1);
    expect(tasks).toHaveLength(0);
  });

  it('ignores steering of an old run', () => {
    const { send, run, engine } = setUp(1000);
    send({ kind: 'train', run: 2 });
    run(3);
    send({ kind: 'pause', run: 1 });
    send({ kind: 'stop', run: 1 });
    run();
    expect(engine.step).toBe(1000);
  });

  it('lets go of the training when another file is read', async () => {
    const { send, run, engine, kinds } = setUp(1000);
    send({ kind: 'train' });
    run(3);
    send({ kind: 'load', run: 2 });
    const held = engine.step;
    run();
    await Promise.resolve();
    expect(engine.step).toBe(held);
    await vi.waitFor(() => expect(kinds().at(-1)).toBe('loaded'));
  });

  it('trains once the file that was read has its hash, and hears then what was said in between', async () => {
    let tell = (_sha256: string) => {};
    const { send, run, engine, kinds } = setUp(1000, new Promise((resolve) => (tell = resolve)));
    const identify = vi.spyOn(engine, 'identify');
    send({ kind: 'load', run: 1 });
    await vi.waitFor(() => expect(kinds().at(-1)).toBe('loaded'));
    send({ kind: 'train', run: 2 }, 8);
    send({ kind: 'pause', run: 2 }, 9);
    send({ kind: 'ping', run: 2 }, 10);
    expect(kinds().slice(-2)).toEqual(['loaded', 'pong']);
    tell('ab12');
    await vi.waitFor(() => expect(kinds().at(-1)).toBe('paused'));
    expect(identify).toHaveBeenCalledExactlyOnceWith('ab12');
    expect(kinds()).toContain('started');
    run();
    expect(engine.step).toBe(0);
  });

  it('answers a training that waits when another file takes its place, and gives no file the hash of another', async () => {
    let tell = (_sha256: string) => {};
    const { send, engine, kinds, posted } = setUp(1000, new Promise((resolve) => (tell = resolve)));
    const identify = vi.spyOn(engine, 'identify');
    send({ kind: 'load', run: 1 });
    await vi.waitFor(() => expect(kinds().at(-1)).toBe('loaded'));
    send({ kind: 'train', run: 2 }, 8);
    send({ kind: 'load', run: 3 }, 9);
    expect(posted.at(-1)).toMatchObject({ id: 8, event: { kind: 'failed', error: { code: 'cancelled' } } });
    tell('ab12');
    await vi.waitFor(() => expect(posted.at(-1)).toMatchObject({ id: 9, event: { kind: 'loaded' } }));
    await vi.waitFor(() => expect(identify).toHaveBeenCalledOnce());
    expect(kinds()).not.toContain('started');
  });

  it('ends, and says so once, when the engine can no longer say where it is', () => {
    const { send, run, kinds, engine, tasks } = setUp(1000);
    send({ kind: 'train' });
    engine.well = false;
    run();
    expect(kinds().filter((kind) => kind === 'failed')).toHaveLength(1);
    expect(engine.step).toBeLessThan(1000);
    expect(tasks).toHaveLength(0);
  });

  it('answers a ping and a tree file between slices without disturbing the training', () => {
    const { send, run, kinds, engine } = setUp(1000);
    send({ kind: 'train' });
    run(3);
    send({ kind: 'ping' }, 11);
    send({ kind: 'open' }, 12);
    expect(kinds().slice(-2)).toEqual(['pong', 'opened']);
    run();
    expect(engine.step).toBe(1000);
  });
});
