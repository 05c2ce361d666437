export type ScriptState = 'idle' | 'loading' | 'ready' | 'error';

interface Script {
  state: ScriptState;
  loaded: Promise<void>;
}

const scripts = new Map<string, Script>();

export function scriptState(source: string): ScriptState {
  return scripts.get(source)?.state ?? 'idle';
}

export function loadScript(source: string): Promise<void> {
  const known = scripts.get(source);
  if (known && known.state !== 'error') return known.loaded;
  const script: Script = { state: 'loading', loaded: Promise.resolve() };
  script.loaded = new Promise((done, fail) => {
    const element = document.createElement('script');
    element.src = source;
    element.onload = () => {
      script.state = 'ready';
      done();
    };
    element.onerror = () => {
      script.state = 'error';
      element.remove();
      fail(new Error(`could not load ${source}`));
    };
    document.head.append(element);
  });
  scripts.set(source, script);
  return script.loaded;
}
