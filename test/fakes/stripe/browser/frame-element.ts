import { type FromFrame, fragmentOf, type ToField } from './messages.ts';

type Handler = (event: object) => void;

const notMounted = {
  type: 'invalid_request_error',
  message:
    'We could not retrieve data from the specified Element. Please make sure the Element you are attempting to use is still mounted.',
};

/** An element of Stripe.js: an iframe in a box of the page, and its events. */
export abstract class FrameElement {
  protected frame: HTMLIFrameElement | undefined;
  protected box: HTMLElement | undefined;
  private readonly handlers = new Map<string, Handler[]>();
  private readonly calls = new Map<number, (result: object) => void>();
  /** Messages queued until the frame listens; undefined afterwards. */
  private waiting: ToField[] | undefined = [];

  /** Draws into `this.box`. */
  protected abstract draw(box: HTMLElement): void;
  protected abstract handle(message: FromFrame): void;

  on(type: string, handler: Handler): this {
    this.handlers.set(type, [...(this.handlers.get(type) ?? []), handler]);
    return this;
  }

  mount(box: HTMLElement): void {
    if (!box.isConnected) {
      throw new Error(
        `The selector you specified (${box}) applies to no DOM elements that are currently on the page.`,
      );
    }
    this.unmount();
    this.box = box;
    addEventListener('message', this.receive);
    this.draw(box);
  }

  unmount(): void {
    removeEventListener('message', this.receive);
    this.box?.replaceChildren();
    this.frame = undefined;
    this.box = undefined;
    this.forget();
  }

  destroy(): void {
    this.unmount();
    this.handlers.clear();
  }

  protected emit(type: string, event: object): void {
    for (const handler of this.handlers.get(type) ?? []) handler(event);
  }

  /** @param height in px */
  protected show(address: string, title: string, height: number, setup: object): void {
    const frame = document.createElement('iframe');
    frame.title = title;
    frame.allow = 'payment *';
    frame.style.cssText = `border:0;display:block;width:100%;color-scheme:light only;height:${height}px`;
    frame.src = `${address}#${fragmentOf(setup)}`;
    this.forget();
    this.frame = frame;
    this.box?.replaceChildren(frame);
  }

  private forget(): void {
    this.waiting = [];
    for (const done of this.calls.values()) done({ error: notMounted });
    this.calls.clear();
  }

  protected post(message: ToField): void {
    const { frame, waiting } = this;
    if (waiting) waiting.push(message);
    else if (frame) frame.contentWindow?.postMessage(message, new URL(frame.src).origin);
  }

  /** Sends a request to the frame, which responds after all typed input was processed. */
  protected request(kind: 'create' | 'check', details: object = {}): Promise<object> {
    if (!this.frame) return Promise.resolve({ error: notMounted });
    return new Promise((done) => {
      const call = Math.random();
      this.calls.set(call, done);
      this.post({ kind, call, details });
    });
  }

  private readonly receive = ({ source, data }: MessageEvent<FromFrame>): void => {
    if (!this.frame || source !== this.frame.contentWindow) return;
    if (data.kind === 'ready') {
      const queued = this.waiting ?? [];
      this.waiting = undefined;
      for (const each of queued) this.post(each);
    }
    if (data.kind === 'answer') {
      this.calls.get(data.call)?.(data.result);
      this.calls.delete(data.call);
    }
    this.handle(data);
  };
}
