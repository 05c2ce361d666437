Object.assign(globalThis, { islands: import.meta.glob('../../*.tsx') });
