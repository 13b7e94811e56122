import { describe, expect, it } from 'vitest';
import type { Event } from '../protocol';
import { problem, progress, ready, result, table, view } from '../fixtures/replies';
import { INITIAL_STATE, type Action, type Source, type State } from './model';
import { strings } from '../text/strings';
import { reduce } from './reducer';
import { canShowOther, keptTree, pageState, takeable } from './selectors';

const blob = new Blob(['x,y\n1,2\n']);
const source = (name: string): Source => ({ name, sample: null, blob });
const reply = (
  event: Event,
  extra: Partial<Extract<Action, { type: 'reply' }>> & { curve?: Float32Array } = {},
): Action => {
  const { curve, ...rest } = extra;
  return { type: 'reply', reply: curve ? { event, curve } : { event }, asked: null, at: 0, ...rest };
};
const failure = (run: number, asked: 'load' | 'train' | 'open'): Action =>
  reply(
    {
      kind: 'failed',
      run,
      error: {
        code: 'x',
        message: 'broken',
        hint: 'mend it',
        line: null,
        column: null,
        badRows: 0,
        badLines: [],
      },
    },
    { asked },
  );
const reading = (state: State, run: number, name: string, how = { again: false, quiet: false }): State =>
  reduce(state, {
    type: 'reading',
    run,
    reading: { source: source(name), settings: state.settings, ...how, stage: 'reading', share: 0, rows: 0 },
  });
const apply = (state: State, ...actions: Action[]): State => actions.reduce(reduce, state);

const up = reduce(INITIAL_STATE, { type: 'reply', reply: ready, asked: null, at: 0 });
const loaded = apply(reading(up, 1, 'a.csv'), reply({ kind: 'loaded', run: 1, table: table('x', 'y') }));
const started = apply(
  loaded,
  { type: 'training', run: 2, at: 0 },
  reply({ kind: 'started', run: 2, problem: problem('regression', 20), cart: result('cart'), lendable: 7 }),
);
const frame = (run: number, checkpoint: string | null = null): Action =>
  reply(
    { kind: 'progress', run, progress: progress(), tree: view(5), checkpoint },
    { curve: new Float32Array([1, 1, 0.9, 0.8, NaN]), at: 100 },
  );
const trained = (run: number): Action =>
  reply({
    kind: 'trained',
    run,
    result: result('gradtree'),
    gradient: null,
    progress: progress({ share: 1 }),
    reason: 'Enough.',
    yardstick: null,
  });
const done = apply(started, frame(2, '{"half":1}'), trained(2));

describe('the way through the page', () => {
  it('goes through the phases in order', () => {
    const way = [INITIAL_STATE, up, reading(up, 1, 'a.csv'), loaded, started, done].map(pageState);
    expect(way).toEqual(['loading', 'ready', 'reading', 'loaded', 'training', 'done']);
  });

  it('starts with the first learner that is not the baseline, at its own depth', () => {
    expect(up.settings).toMatchObject({ model: 'gradtree', depth: 5 });
  });

  it('takes the suggested target', () => {
    expect(loaded.settings.target).toBe('y');
    expect(loaded.source?.name).toBe('a.csv');
  });

  it('collects frames, points and the checkpoint', () => {
    const moving = apply(started, frame(2, '{"half":1}'), frame(2));
    expect(moving.live?.size).toBe(5);
    expect(moving.curve).toHaveLength(2);
    expect(moving.checkpoint).toBe('{"half":1}');
    expect(moving.active).toBe(100);
  });
});

describe('two finished trees', () => {
  const alone = { ...result('gradtree', { accuracy: 0.7 }), json: '{"alone":1}' };
  const both = apply(started, {
    ...trained(2),
    reply: {
      event: {
        kind: 'trained',
        run: 2,
        result: result('gradtree'),
        gradient: alone,
        progress: progress(),
        reason: '',
        yardstick: null,
      },
    },
  } as Action);
  const shown = reduce(
    { ...both, judged: { rows: new Float32Array(), cart: [], gradient: [], metric: 'accuracy' } },
    reply({
      kind: 'shown',
      run: 2,
      problem: problem('regression', 20),
      cart: null,
      result: alone,
      other: result('gradtree'),
      alone: true,
    }),
  );

  it("can take each other's place, with scores, rows and download", () => {
    expect(both).toMatchObject({ other: alone, alone: false });
    expect(canShowOther(both)).toBe(true);
    expect(shown).toMatchObject({ gradient: alone, alone: true, judged: null, cart: started.cart });
    expect(keptTree(shown)?.json).toBe(result('gradtree').json);
    expect(takeable(shown)[0]).toMatchObject({
      key: 'gradient',
      json: '{"alone":1}',
      stem: 'a-gradtree-descent-alone',
    });
  });

  it('stay with their training', () => {
    expect(
      apply(
        shown,
        { type: 'training', run: 3, at: 0 },
        reply({ kind: 'started', run: 3, problem: problem('regression', 20), cart: null, lendable: 0 }),
      ),
    ).toMatchObject({ other: null, alone: false });
    // The engine lets go of a training with its table.
    expect(canShowOther(reading(both, 3, 'a.csv', { again: true, quiet: false }))).toBe(false);
    expect(canShowOther(done)).toBe(false);
  });
});

describe('late events', () => {
  it('of an old run are dropped', () => {
    for (const late of [frame(1), trained(1), reply({ kind: 'paused', run: 1 }), failure(1, 'load')]) {
      expect(reduce(started, late)).toBe(started);
    }
  });

  it('of a training that was left for another file are dropped', () => {
    const elsewhere = reading(started, 3, 'b.csv');
    expect(reduce(elsewhere, trained(2))).toBe(elsewhere);
  });
});

describe('failures', () => {
  it('of reading keep the former file, its settings and its trees', () => {
    const failed = apply(reading(done, 3, 'bad.csv'), failure(3, 'load'));
    expect(pageState(failed)).toBe('error');
    expect(failed.error).toMatchObject({ place: 'data', message: 'broken', hint: 'mend it' });
    expect(failed).toMatchObject({
      phase: 'done',
      source: done.source,
      table: done.table,
      gradient: done.gradient,
      cart: done.cart,
    });
    expect(pageState(reduce(failed, { type: 'dismiss', what: 'error' }))).toBe('done');
  });

  it('of training keep what was trained before', () => {
    const failed = apply(done, { type: 'training', run: 3, at: 0 }, failure(3, 'train'));
    expect(failed.gradient).toBe(done.gradient);
    expect(failed.error?.place).toBe('train');
    expect(failed.phase).toBe('done');
  });

  it('of a tree file leave a training running', () => {
    const failed = reduce(started, failure(2, 'open'));
    expect(failed.error?.place).toBe('result');
    expect(failed.phase).toBe('training');
  });

  it('are cleared by the next attempt', () => {
    const failed = apply(reading(done, 3, 'bad.csv'), failure(3, 'load'));
    expect(reading(failed, 4, 'good.csv').error).toBeNull();
    expect(reduce(failed, { type: 'training', run: 4, at: 0 }).error).toBeNull();
  });
});

describe('a lost worker', () => {
  const lost: Action = { type: 'lost', reason: 'It stopped answering.', restarting: true };

  it('costs nothing that was trained', () => {
    const after = apply(started, frame(2, '{"half":1}'), lost);
    expect(after.error).toMatchObject({ place: 'train', next: 'trainAgain' });
    expect(after.checkpoint).toBe('{"half":1}');
    expect(after.live?.size).toBe(5);
    expect(after.curve).toHaveLength(1);
    expect(takeable(after).map(({ json }) => json)).toContain('{"half":1}');
  });

  it('is replaced without hiding the message', () => {
    const again = apply(apply(started, frame(2), lost), { type: 'reply', reply: ready, asked: null, at: 0 });
    const reread = apply(
      reading(again, 3, 'a.csv', { again: true, quiet: true }),
      reply({ kind: 'loaded', run: 3, table: table('x', 'y') }),
    );
    expect(pageState(reread)).toBe('error');
    expect(reread.live?.size).toBe(5);
    expect(reread.cart).toBe(started.cart);
    expect(reread.phase).toBe('loaded');
  });

  it('is not mentioned when nothing had begun', () => {
    expect(reduce(INITIAL_STATE, lost).error).toBeNull();
  });

  it('that cannot be replaced asks for a reload', () => {
    expect(reduce(INITIAL_STATE, { ...lost, restarting: false }).error?.next).toBe('reload');
  });

  it('over the same file twice lets the file go', () => {
    const twice = reduce(reading(done, 3, 'a.csv', { again: true, quiet: true }), lost);
    expect(twice.source).toBeNull();
    expect(twice.gradient).toBe(done.gradient);
  });
});

describe('another file', () => {
  it('takes the trees of the old one away, once it could be read', () => {
    const next = apply(reading(done, 3, 'b.csv'), reply({ kind: 'loaded', run: 3, table: table('a', 'b') }));
    expect(next).toMatchObject({ phase: 'loaded', gradient: null, cart: null, problem: null, curve: [] });
    expect(next.settings.target).toBe('b');
  });

  it('read again with other column kinds leaves the trees', () => {
    const next = apply(
      reading(done, 3, 'a.csv', { again: true, quiet: false }),
      reply({ kind: 'loaded', run: 3, table: table('x', 'y') }),
    );
    expect(next).toMatchObject({ phase: 'loaded', gradient: done.gradient });
  });

  it('without the wanted target says so', () => {
    const wanting = { ...up, settings: { ...up.settings, target: 'z' } };
    const next = apply(
      reading(wanting, 1, 'a.csv'),
      reply({ kind: 'loaded', run: 1, table: table('x', 'y') }),
    );
    expect(next.settings.target).toBe('y');
    expect(next.notice).toContain('“z”');
  });
});

describe('a tree from a file', () => {
  const opened = apply(
    done,
    { type: 'opening', run: 3, name: 'old.tree.json' },
    reply({ kind: 'opened', run: 3, problem: problem('regression', 0), result: result('cart'), proved: 9 }),
  );

  it('is shown in place of the trained ones, which come back', () => {
    expect(opened.opened?.name).toBe('old.tree.json');
    expect(takeable(opened)).toHaveLength(1);
    const back = reduce(opened, { type: 'closeOpened' });
    expect(back.run).toBe(done.run);
    expect(apply(done, { type: 'opening', run: 9, name: 'x' }, failure(9, 'open')).run).toBe(done.run);
    expect(back.phase).toBe('done');
    expect(takeable(back).map(({ key }) => key)).toEqual(['gradient', 'cart']);
  });

  it('makes way for a training', () => {
    expect(reduce(opened, { type: 'training', run: 4, at: 0 }).opened).toBeNull();
  });
});

describe('the form', () => {
  it('keeps complaints until they are met', () => {
    const bad = reduce(loaded, { type: 'validity', field: 'depth', message: 'no' });
    expect(bad.invalid).toEqual({ depth: 'no' });
    expect(reduce(bad, { type: 'validity', field: 'depth', message: '' }).invalid).toEqual({});
  });

  it('takes over the depth of another learner and drops settings it does not have', () => {
    const tuned = reduce(loaded, { type: 'settings', change: { config: { epochs: 3 } } });
    expect(reduce(tuned, { type: 'model', key: 'cart' }).settings).toMatchObject({
      model: 'cart',
      depth: 6,
      config: {},
    });
    expect(reduce(tuned, { type: 'model', key: 'nonsense' })).toBe(tuned);
  });
});

describe('reading', () => {
  const bad = (code: string, badLines: number[] = []): Action =>
    reply(
      {
        kind: 'failed',
        run: 3,
        error: {
          code,
          message: 'Line 3: too short',
          hint: 'mend it',
          line: 3,
          column: null,
          badRows: badLines.length,
          badLines,
        },
      },
      { asked: 'load' },
    );
  const under = reading(loaded, 3, 'b.csv');

  it('moves on with every report', () => {
    const further = reduce(under, reply({ kind: 'reading', run: 3, share: 0.4, rows: 1200 }));
    expect(further.reading).toMatchObject({ share: 0.4, rows: 1200, stage: 'reading' });
    expect(reduce(under, reply({ kind: 'reading', run: 2, share: 0.4, rows: 1200 }))).toBe(under);
  });

  it('keeps a file with bad rows for a second attempt', () => {
    const refused = reduce(under, bad('bad_row', [3, 7]));
    expect(refused.error).toMatchObject({ place: 'data', next: 'skipRows', count: 2, lines: [3, 7] });
    expect(refused.refused?.source.name).toBe('b.csv');
    expect(refused.source?.name).toBe('a.csv');
    expect(reduce(refused, { type: 'dismiss', what: 'error' }).refused).toBeNull();
    expect(reading(refused, 4, 'c.csv').refused).toBeNull();
  });

  it('that is called off leaves everything as it was', () => {
    expect(reduce(under, bad('cancelled'))).toMatchObject({
      phase: 'loaded',
      error: null,
      reading: null,
      table: loaded.table,
    });
  });

  it("says in the page's own words what only the worker saw", () => {
    expect(reduce(under, bad('unreadable')).error?.message).toContain('b.csv');
    expect(reduce(under, bad('too_large')).error?.message).toContain('no room');
  });
});

it("says in the page's own words that the second module could not be had", () => {
  const error = {
    code: 'no_study',
    message: 'no such file',
    hint: '',
    line: null,
    column: null,
    badRows: 0,
    badLines: [],
  };
  const lacking = reduce(loaded, reply({ kind: 'failed', run: loaded.run, error }, { asked: 'train' }));
  expect(lacking.error).toEqual({ place: 'train', ...strings.noStudy('no such file'), next: null });
});

describe('the film', () => {
  const moving = apply(started, frame(2), frame(2), frame(2));

  it('is what the page saw when the worker is lost, also after the file was read again', () => {
    const lost = reduce(moving, { type: 'lost', reason: 'gone', restarting: true });
    expect(lost.film).toMatchObject({ own: true, shown: null });
    const again = apply(
      reading(lost, 3, 'a.csv', { again: true, quiet: true }),
      reply({ kind: 'loaded', run: 3, table: table('x', 'y') }),
    );
    expect(again.film?.frames).toHaveLength(3);
    const shown = reduce(again, { type: 'seenFrame', frame: 1 });
    expect(shown.film?.shown).toMatchObject({ index: 1, metrics: {} });
    expect(shown.film?.shown?.tree.size).toBe(5);
  });

  it('goes with another file and with another training', () => {
    const lost = reduce(moving, { type: 'lost', reason: 'gone', restarting: true });
    const other = apply(reading(lost, 3, 'b.csv'), reply({ kind: 'loaded', run: 3, table: table('x', 'y') }));
    expect(other.film).toBeNull();
    expect(other.seen.frames).toHaveLength(0);
  });

  it('of the engine is never shown from what the page saw', () => {
    const filmed = apply(moving, reply({ kind: 'paused', run: 2 }));
    expect(filmed.film).toBeNull();
    expect(reduce(filmed, { type: 'seenFrame', frame: 0 })).toBe(filmed);
  });

  it('of groups is the page’s own', () => {
    const grouping = { ...moving, problem: { ...moving.problem!, task: 'clustering' } } as State;
    expect(reduce(grouping, reply({ kind: 'paused', run: 2 })).film).toMatchObject({ own: true });
    expect(reduce(grouping, trained(2)).film?.frames).toHaveLength(3);
  });
});
