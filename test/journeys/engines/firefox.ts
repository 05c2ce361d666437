import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Driver, finder, type Target } from './engine.ts';

/** https://w3c.github.io/webdriver-bidi: the response to a command, or an event. */
/** NS_BINDING_ABORTED: the page was left while the font of Google's frame was loading. */
const abortedDownload = 'status=2152398850';

interface Message {
  id?: number;
  type: 'success' | 'error' | 'event';
  method?: string;
  params?: { level: string; text: string };
  message?: string;
  result?: unknown;
}

interface Evaluated<Value> {
  result: { value?: Value; sharedId?: string };
  exceptionDetails?: { text: string };
}

const preferences = {
  'app.update.disabledForTesting': true,
  'browser.aboutwelcome.enabled': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'privacy.trackingprotection.enabled': false,
  'remote.active-protocols': 1,
  'toolkit.telemetry.enabled': false,
};

/** Firefox without a window, driven by WebDriver BiDi. */
export async function openFirefox(): Promise<Driver> {
  const profile = mkdtempSync(join(tmpdir(), 'firefox-'));
  const lines = Object.entries(preferences).map(
    (pair) => `user_pref(${JSON.stringify(pair).slice(1, -1)});`,
  );
  writeFileSync(join(profile, 'user.js'), lines.join('\n'));
  const args = ['--headless', '--remote-debugging-port=0', '--no-remote', '--profile', profile];
  const browser = spawn('firefox-esr', args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = new Promise((done) => browser.on('close', done));
  const address = await new Promise<string>((done, fail) => {
    let text = '';
    browser.stderr.on('data', (part) => {
      text += part;
      const [, found] = /WebDriver BiDi listening on (ws:\S+)/.exec(text) ?? [];
      if (found) done(`${found}/session`);
    });
    browser.on('close', () => fail(new Error(`Firefox did not start: ${text}`)));
  });

  const socket = new WebSocket(address);
  await new Promise((done) => socket.addEventListener('open', done));
  const waiting = new Map<number, (message: Message) => void>();
  const errors: string[] = [];
  let last = 0;
  socket.addEventListener('message', ({ data }) => {
    const message: Message = JSON.parse(data);
    const { id, method, params } = message;
    const isError = method === 'log.entryAdded' && params?.level === 'error';
    if (isError && !params.text.includes(abortedDownload)) errors.push(params.text);
    if (id !== undefined) waiting.get(id)?.(message);
  });
  const send = <Result>(method: string, params: object): Promise<Result> =>
    new Promise((done, fail) => {
      last += 1;
      waiting.set(last, (answer) =>
        answer.type === 'error'
          ? fail(new Error(`${method}: ${answer.message}`))
          : done(answer.result as Result),
      );
      socket.send(JSON.stringify({ id: last, method, params }));
    });

  await send('session.new', { capabilities: { alwaysMatch: { acceptInsecureCerts: true } } });
  await send('session.subscribe', { events: ['log.entryAdded'] });
  const tree = await send<{ contexts: [{ context: string }] }>('browsingContext.getTree', {});
  const top = tree.contexts[0].context;
  await send('browsingContext.setViewport', {
    context: top,
    viewport: { width: 390, height: 844 },
  });
  const call = async <Value>(context: string, body: string) => {
    const { result, exceptionDetails } = await send<Evaluated<Value>>('script.callFunction', {
      functionDeclaration: `function () { ${body} }`,
      awaitPromise: true,
      target: { context },
    });
    if (exceptionDetails) throw new Error(exceptionDetails.text);
    return result;
  };
  /** The element and its browsing context; undefined while it is not visible. */
  const find = async (target: Target) => {
    let context = top;
    if (target.frame) {
      const frame = `return document.querySelector('iframe[title="${target.frame}"]')?.contentWindow`;
      const { value } = await call<{ context: string }>(top, frame);
      if (!value?.context) return undefined;
      context = value.context;
    }
    const { sharedId } = await call(context, finder(target));
    if (!sharedId) return undefined;
    return { context, element: { type: 'element', element: { sharedId } } };
  };
  const click = async (target: Target) => {
    const found = await find(target).catch(() => undefined);
    if (!found) return false;
    const move = { type: 'pointerMove', x: 0, y: 0, origin: found.element };
    const actions = [move, { type: 'pointerDown', button: 0 }, { type: 'pointerUp', button: 0 }];
    await send('input.performActions', {
      context: found.context,
      actions: [{ type: 'pointer', id: 'finger', actions }],
    });
    return true;
  };

  return {
    open: async (url) =>
      void (await send('browsingContext.navigate', { context: top, url, wait: 'interactive' })),
    run: async (body) =>
      JSON.parse(
        (await call<string>(top, `return JSON.stringify((() => { ${body} })() ?? null)`)).value ??
          'null',
      ),
    click,
    type: async (target, text, pace = 0) => {
      if (!(await click(target))) return false;
      const found = await find(target);
      const actions = [...text].flatMap((value) => [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
        { type: 'pause', duration: pace },
      ]);
      const keys = [{ type: 'key', id: 'keys', actions }];
      await send('input.performActions', { context: found?.context, actions: keys });
      return true;
    },
    errors: () => errors,
    close: async () => {
      socket.close();
      browser.kill();
      await ended;
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
