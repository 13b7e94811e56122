/** The page's only state holder. Only the reducer makes state; everyone else reads it. */

export interface Store<State, Action> {
  get(): State;
  dispatch(action: Action): void;
  subscribe(listener: (state: State) => void): () => void;
}

/** A store around a pure reducer. Listeners are called only when the state has changed. */
export function createStore<State, Action>(
  reduce: (state: State, action: Action) => State,
  initial: State,
): Store<State, Action> {
  let state = initial;
  const listeners = new Set<(state: State) => void>();
  return {
    get: () => state,
    dispatch(action) {
      const next = reduce(state, action);
      if (next === state) return;
      state = next;
      for (const listener of listeners) listener(state);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
