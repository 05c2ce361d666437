import { type FromFrame, fragmentOf } from './messages.ts';

type Handler = (event: object) => void;

/** An element of Stripe.js: an iframe in a box of the page, and its events. */
export abstract class FrameElement {
  protected frame: HTMLIFrameElement | undefined;
  protected box: HTMLElement | undefined;
  private readonly handlers = new Map<string, Handler[]>();

  /** Draws into `this.box`. */
  protected abstract draw(box: HTMLElement): void;
  protected abstract hear(message: FromFrame): void;

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
    this.frame = frame;
    this.box?.replaceChildren(frame);
  }

  private readonly receive = ({ source, data }: MessageEvent<FromFrame>): void => {
    if (this.frame && source === this.frame.contentWindow) this.hear(data);
  };
}
