import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { CDPSession } from 'playwright-core';
import { spawnChromium } from '../scripts/chromium.ts';

interface Message {
  id?: number;
  sessionId?: string;
  method: string;
  params: object;
  result?: unknown;
  error?: { message: string };
}

type Reply = Pick<Message, 'result' | 'error'>;

type Listener = (message: Message) => void;

interface Target {
  type: string;
  subtype?: string;
}

/** A debugger is attached to each document of a tab before it runs. */
const children = { autoAttach: true, waitForDebuggerOnStart: true, flatten: true };

/** Commands and events of the debugging protocol (chromedevtools.github.io/devtools-protocol). */
export type Protocol = Pick<CDPSession, 'send' | 'on' | 'off'>;

/** Sends to the document that the visitor sees, and hears every document. */
export interface Tab extends Protocol {
  close(): Promise<void>;
}

/**
 * A Chromium that prerenders. Playwright attaches to pages, and Chromium forbids a page to prerender while a debugger
 * is attached to it rather than to its tab (`PrerenderingDisabledByDevTools`).
 */
export class PrerenderingBrowser {
  private readonly listeners = new Set<Listener>();
  private readonly waiting = new Map<
    number,
    { sessionId?: string; settle: (reply: Reply) => void }
  >();
  private sent = 0;
  private readonly output: Writable;
  private readonly end: () => Promise<void>;

  private constructor(input: Readable, output: Writable, end: () => Promise<void>) {
    this.output = output;
    this.end = end;
    let rest = '';
    input.setEncoding('utf8').on('data', (text: string) => {
      const messages = (rest + text).split('\0');
      rest = messages.pop() ?? '';
      for (const each of messages) this.receive(JSON.parse(each) as Message);
    });
  }

  static async open(more: readonly string[] = []): Promise<PrerenderingBrowser> {
    const profile = await mkdtemp(join(tmpdir(), 'chromium-'));
    const process = await spawnChromium(profile, more);
    const ended = new Promise((done) => {
      for (const event of ['exit', 'error']) process.once(event, done);
    });
    const [output, input] = process.stdio.slice(3) as unknown as [Writable, Readable];
    // Closing the browser resets its pipes.
    for (const pipe of [output, input]) pipe.on('error', () => {});
    const browser = new PrerenderingBrowser(input, output, async () => {
      process.kill('SIGKILL');
      await ended;
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    });
    void ended.then(() => browser.refuse(() => true));
    return browser;
  }

  close = (): Promise<void> => this.end();

  private receive(message: Message): void {
    if (message.id === undefined) for (const listener of this.listeners) listener(message);
    else this.waiting.get(message.id)?.settle(message);
    if (message.method === 'Target.detachedFromTarget') {
      const { sessionId } = message.params as { sessionId: string };
      this.refuse((each) => each === sessionId);
    }
  }

  /** A session that has ended answers nothing. */
  private refuse(hasEnded: (sessionId?: string) => boolean): void {
    for (const { sessionId, settle } of this.waiting.values())
      if (hasEnded(sessionId)) settle({ error: { message: 'the session has ended' } });
  }

  private async command(method: string, params?: object, sessionId?: string): Promise<unknown> {
    const id = ++this.sent;
    const reply = new Promise<Reply>((settle) => this.waiting.set(id, { sessionId, settle }));
    this.output.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    const { error, result } = await reply;
    this.waiting.delete(id);
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  }

  /** The whole browser. */
  readonly protocol = this.protocolOf(
    () => undefined,
    (message) => message.sessionId === undefined,
  );

  private protocolOf(
    session: () => string | undefined,
    isOwn: (message: Message) => boolean,
  ): Protocol {
    const registered = new Map<unknown, Listener>();
    return {
      send: (method: string, params?: object) => this.command(method, params, session()),
      on: (method: string, listen: (params: object) => void) => {
        const listener: Listener = (message) => {
          if (message.method === method && isOwn(message)) listen(message.params);
        };
        registered.set(listen, listener);
        this.listeners.add(listener);
      },
      off: (_method: string, listen: unknown) => {
        const listener = registered.get(listen);
        if (listener) this.listeners.delete(listener);
      },
    } as unknown as Protocol;
  }

  /**
   * Opens an empty tab with storage of its own.
   * @param prepare is called with each document of the tab before it runs, also with prerendered ones and frames
   */
  async openTab(prepare: (document: Protocol) => Promise<unknown>[]): Promise<Tab> {
    const sessions = new Map<string, { target: string; isShown: boolean }>();
    const { send } = this.protocol;
    const before = new Set(this.listeners);
    const { browserContextId } = await send('Target.createBrowserContext');
    const created = { url: 'about:blank', forTab: true, browserContextId };
    const { targetId } = await send('Target.createTarget', created);
    const { sessionId: tab } = await send('Target.attachToTarget', { targetId, flatten: true });

    const isShown = ({ type, subtype }: Target) => type === 'page' && !subtype;
    let open: () => void = () => {};
    const opened = new Promise<void>((done) => {
      open = done;
    });
    const ofTab = this.protocolOf(
      // While one document replaces another there is none, and the command fails.
      () => [...sessions].filter(([, session]) => session.isShown).at(-1)?.[0] ?? 'none',
      ({ sessionId = '' }) => sessionId === tab || sessions.has(sessionId),
    );
    ofTab.on('Target.attachedToTarget', async ({ sessionId, targetInfo }) => {
      sessions.set(sessionId, { target: targetInfo.targetId, isShown: isShown(targetInfo) });
      const document = this.protocolOf(
        () => sessionId,
        (message) => message.sessionId === sessionId,
      );
      // A document that is already gone refuses them.
      await Promise.allSettled([
        document.send('Target.setAutoAttach', children),
        ...prepare(document),
        document.send('Runtime.runIfWaitingForDebugger'),
      ]);
      if (isShown(targetInfo)) open();
    });
    ofTab.on('Target.detachedFromTarget', ({ sessionId }) => void sessions.delete(sessionId));
    // A prerendered page that is shown loses its subtype.
    ofTab.on('Target.targetInfoChanged', ({ targetInfo }) => {
      for (const session of sessions.values())
        if (session.target === targetInfo.targetId) session.isShown = isShown(targetInfo);
    });
    await this.command('Target.setAutoAttach', children, tab);
    await opened;
    return {
      ...ofTab,
      close: async () => {
        for (const listener of this.listeners)
          if (!before.has(listener)) this.listeners.delete(listener);
        await send('Target.disposeBrowserContext', { browserContextId });
      },
    };
  }
}
