import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { type Driver, finder, type Target, until } from './engine.ts';

const miniBrowser = '/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser';
/** Key of an element in responses: https://w3c.github.io/webdriver/#elements */
const elementKey = 'element-6066-11e4-a52e-4f735466cecf';

const environment = (display: string) => ({
  ...process.env,
  DISPLAY: display,
  WEBKIT_DISABLE_COMPOSITING_MODE: '1',
  WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
});

/** Collects a document's errors, because this driver has no console events. */
const watchErrors = `
  if (!window.errorsSeen) {
    window.errorsSeen = [];
    const note = (text) => void errorsSeen.push(String(text));
    addEventListener('error', ({ message }) => note(message));
    addEventListener('unhandledrejection', ({ reason }) => note(reason));
    addEventListener('securitypolicyviolation', (event) => {
      note('policy: ' + event.effectiveDirective + ' ' + event.blockedURI);
    });
    console.error = (...words) => note(words.join(' '));
  }`;

/** WebKitGTK, Safari's engine, in a virtual display, driven by WebDriver. */
export async function openWebKit(): Promise<Driver> {
  const screen = spawn('Xvfb', ['-displayfd', '1', '-screen', '0', '1280x1024x24'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const display = await new Promise<string>((done) => {
    screen.stdout.on('data', (part) => done(`:${String(part).trim()}`));
  });
  const port = 20_000 + (process.pid % 10_000);
  const address = `http://127.0.0.1:${port}`;
  const driver = spawn('WebKitWebDriver', ['-p', String(port)], {
    env: environment(display),
    stdio: 'ignore',
  });
  const ended = new Promise((done) => driver.on('close', done));
  const errors = new Set<string>();

  const send = async (method: string, path: string, body?: object) => {
    const response = await fetch(address + path, { method, body: body && JSON.stringify(body) });
    const { value } = (await response.json()) as { value: never };
    if (!response.ok) throw new Error(`${path}: ${JSON.stringify(value)}`);
    return value as Record<string, string>;
  };
  const ready = async (): Promise<void> => {
    for (let tries = 0; tries < 200; tries += 1) {
      if (await send('GET', '/status').catch(() => undefined)) return;
      await new Promise((done) => setTimeout(done, 50));
    }
    throw new Error('WebKitWebDriver did not start.');
  };
  await ready();
  const browser = { binary: miniBrowser, args: ['--automation'] };
  const { sessionId } = await send('POST', '/session', {
    capabilities: {
      alwaysMatch: {
        'webkitgtk:browserOptions': browser,
        pageLoadStrategy: 'none',
        acceptInsecureCerts: true,
      },
    },
  });
  const session = `/session/${sessionId}`;
  const post = (path: string, body: object = {}) => send('POST', session + path, body);
  await post('/window/rect', { width: 500, height: 900 });
  const execute = (script: string) => post('/execute/sync', { script, args: [] });
  /** Runs in the page, which is observed from the first call on; texts are kept across documents. */
  const run = async (body: string) => {
    const whole = `${watchErrors} return [(() => { ${body} })(), errorsSeen.map((text) => location.pathname + ': ' + text)]`;
    const [value, seen] = (await execute(whole)) as unknown as [unknown, string[]];
    for (const text of seen) errors.add(text);
    return value;
  };

  /** Acts on a visible element in its frame; false while it is missing. */
  const act = async (target: Target, then: (path: string) => Promise<unknown>) => {
    try {
      if (target.frame) {
        const frame = await run(`return document.querySelector('iframe[title="${target.frame}"]')`);
        if (!frame) return false;
        await post('/frame', { id: frame });
      }
      const found = await execute(finder(target));
      if (!found?.[elementKey]) return false;
      await then(`/element/${found[elementKey]}`);
      return true;
    } catch (error) {
      if (/no such element|stale|no such frame|not interactable|intercepted/.test(String(error)))
        return false;
      throw error;
    } finally {
      if (target.frame) await post('/frame', { id: null }).catch(() => {});
    }
  };

  return {
    open: async (url) => {
      // A page may change its own URL, so a mark shows whether the old document is gone.
      await run('document.left = true');
      await post('/url', { url });
      const arrived = 'return document.left === undefined';
      await until(`open ${url}`, async () => (await run(arrived).catch(() => false)) === true);
    },
    run,
    click: (target) => act(target, (path) => post(`${path}/click`)),
    type: (target, text, pace = 0) =>
      act(target, async (path) => {
        for (const part of pace ? text : [text]) {
          const due = performance.now() + pace;
          await post(`${path}/value`, { text: part });
          await pause(due - performance.now());
        }
      }),
    errors: () => [...errors],
    close: async () => {
      await send('DELETE', session).catch(() => {});
      driver.kill();
      screen.kill();
      await ended;
    },
  };
}
