import { DurableObject } from 'cloudflare:workers';
import { type Answered, accept, block, decline, open, stop, stopEveryone } from './answers.ts';
import { type Asking, askPerson } from './ask-person.ts';
import { queueTexts } from './due-texts.ts';
import type { Env } from './env.ts';
import type { ErrorCode } from './errors.ts';
import type { Told } from './funnel/delivery.ts';
import type { Standing } from './funnel/guarantee.ts';
import { forRequester, type RequesterView } from './funnel/invitation-view.ts';
import type { Position } from './funnel/position.ts';
import { standing } from './funnel/quiet-end.ts';
import { logger } from './log.ts';
import { Person } from './person.ts';
import { makeStopCode, StopCode, stopCodeHash } from './stop-code.ts';
import { bounded } from './storage/bounded.ts';
import { limitsOf } from './text-limits.ts';
import { noteNews, sendText } from './texting.ts';

/** An invitation as it stands, with the code where it is for the requester to hand on; or why not. */
export type Asked = { view: RequesterView; code: string | null } | { refusal: ErrorCode };

const log = logger();
/** How soon the job runs again after a crash, and after a queue or D1 was down, in ms. */
const safety = 1000;
const pause = 30_000;

/** One person who may be located: who asked, what they answered, what they show, and STOP. */
export class Invitations extends DurableObject<Env> {
  readonly #person = new Person(this.ctx.storage.kv);
  readonly #stopCode = new StopCode(this.ctx.storage.kv);
  /** Bounded by who asks at this moment. */
  readonly #asking = new Map<string, { via: Asking['via']; asked: Promise<Asked> }>();

  /**
   * Asks the person, or finds the question that is open: there is one between two people, however
   * often and however many at once this is called.
   */
  ask(asking: Asking): Promise<Asked> {
    const { account, via } = asking;
    const before = this.#asking.get(account);
    if (before?.via === via) return before.asked;
    const asked = (before?.asked ?? Promise.resolve()).then(() => this.#ask(asking));
    const running = { via, asked };
    this.#asking.set(account, running);
    const done = () => {
      if (this.#asking.get(account) === running) this.#asking.delete(account);
    };
    asked.then(done, done);
    return asked;
  }

  async #ask(asking: Asking): Promise<Asked> {
    this.ctx.storage.kv.put('name', asking.person);
    const asked = await askPerson(this.#person, asking, bounded(this.env));
    if ('refusal' in asked) return asked;
    const view = this.#view(asked.id);
    await this.#wake();
    return view ? { view, code: asked.code } : { refusal: 'invitation_failed' };
  }

  /** An account's invitation as its requester sees it; undefined when there is none. */
  seen(id: string, account: string): RequesterView | undefined {
    const now = Date.now();
    const found = this.#person.invitation(id, now);
    return found?.account === account ? this.#view(id) : undefined;
  }

  /** How an account's questions stand for the guarantee. */
  stand(account: string): Standing[] {
    const now = Date.now();
    const asked = this.#person.invitations(now).filter((one) => one.account === account);
    return asked.map((one) => ({ askedAt: one.askedAt, answer: standing(one, now) }));
  }

  /** Takes an account's question back; what was shared is shared no more. */
  async cancel(id: string, account: string): Promise<RequesterView | undefined> {
    if (this.#person.invitation(id, Date.now())?.account !== account) return undefined;
    this.#person.takeBack(id, Date.now());
    await this.#wake();
    return this.#view(id);
  }

  /** What a code's page shows; it is opened by that. @param hash of the code, as below */
  open(hash: string): Promise<Answered> {
    return this.#answered(open(this.#person, hash));
  }

  accept(hash: string, position: Position): Promise<Answered> {
    return this.#answered(accept(this.#person, hash, position));
  }

  decline(hash: string): Promise<Answered> {
    return this.#answered(decline(this.#person, hash));
  }

  stop(hash: string): Promise<Answered> {
    return this.#answered(stop(this.#person, hash));
  }

  /** Nobody asks again from that account. A report has an operator look at it. */
  async block(hash: string, report: boolean): Promise<Answered> {
    const found = this.#person.byCode(hash, Date.now());
    const answered = await this.#answered(block(this.#person, hash, report));
    if (report && found) {
      await limitsOf(this.env).hold(found.account);
      log('warn', 'invitation_reported', { key: found.id });
    }
    return answered;
  }

  /** Texts a code to who says that the number is theirs. @returns why not; null once it is on its way */
  async textStopCode(hash: string, phone: string, site: string): Promise<ErrorCode | null> {
    if (!this.#person.byCode(hash, Date.now())) return 'invitation_unknown';
    const asked = { phone, site, name: this.#name };
    const made = await makeStopCode(this.#person, this.#stopCode, asked, bounded(this.env), log);
    if ('refusal' in made) return made.refusal;
    this.ctx.waitUntil(made.send().then(() => this.#wake()));
    return null;
  }

  /** Nobody may ask any more, if the digits are those that were texted. */
  async stopWithCode(hash: string, digits: string): Promise<Answered> {
    const wanted = await stopCodeHash(this.env, this.#name, digits);
    if (!this.#stopCode.redeem(wanted, Date.now())) return { refusal: 'stop_code_wrong' };
    return this.#answered(stopEveryone(this.#person, hash));
  }

  /** STOP, for everybody who asked or will. @returns false when it was said before */
  async stopAll(): Promise<boolean> {
    const news = this.#person.stopAll(Date.now());
    await this.#wake();
    return news;
  }

  /** Takes a STOP back. @param message its id @returns false when nothing was stopped */
  start(message: string): boolean {
    return this.#person.start(message);
  }

  /** Takes back all that an account asked until a time, because it has no plan any more. */
  async cancelAll(account: string, until: number): Promise<void> {
    this.#person.takeBackAll(account, Date.now(), until);
    await this.#wake();
  }

  /** Forgets an account that was deleted. */
  async forget(account: string): Promise<void> {
    this.#person.forget(account, Date.now());
    await this.#wake();
  }

  /** Sends a text that is due. @returns false when it must be asked for again */
  async send(text: string): Promise<boolean> {
    const done = await sendText(this.#person, text, this.env, log);
    await this.#wake();
    return done;
  }

  /** Takes what the vendor tells of a text. */
  async textNews(about: { kind: string; text: string }, told: Told): Promise<void> {
    noteNews(this.#person, about.text, told);
    const { status: state, code } = told;
    const well = state !== 'failed' && state !== 'undelivered' && state !== 'canceled';
    const fields = { key: about.kind, state, code: code === null ? undefined : String(code) };
    log(well ? 'info' : 'warn', 'text_status', fields);
    await this.#wake();
  }

  /** The job: ends what is over, writes reminders, and queues the texts that are due. Never throws. */
  override async alarm(): Promise<void> {
    await this.ctx.storage.setAlarm(Date.now() + safety);
    this.#person.sweep(Date.now());
    this.#person.texts.deliveries.sweep(Date.now());
    try {
      await queueTexts(this.#person, this.#name, bounded(this.env));
      await this.#person.texts.deliveries.lookUp(this.env, log);
      await this.#wake();
    } catch (error) {
      log('warn', 'texts_wait', { reason: error instanceof Error ? error.name : 'thrown' });
      await this.ctx.storage.setAlarm(Date.now() + pause);
    }
  }

  /** This object's own name: the keyed hash of the number. */
  get #name(): string {
    return this.ctx.storage.kv.get<string>('name') ?? '';
  }

  /** What is shown to who asked, and noted as shown where it is a yes. */
  #view(id: string): RequesterView | undefined {
    const now = Date.now();
    const found = this.#person.invitation(id, now);
    if (found?.state === 'accepted') this.#person.markSeen(found, now);
    const delivery = this.#person.texts.deliveries.ofInvitation(id);
    return found && forRequester(found, this.#person.position(id, now), now, delivery);
  }

  async #answered(answered: Answered): Promise<Answered> {
    await this.#wake();
    return answered;
  }

  /** Sets the alarm for what comes next. */
  async #wake(): Promise<void> {
    const times = [this.#person.dueAt(Date.now()), this.#person.texts.deliveries.dueAt()];
    const known = times.filter((time) => time !== null);
    const due = known.length > 0 ? Math.min(...known) : null;
    if (due === null) await this.ctx.storage.deleteAlarm();
    else await this.ctx.storage.setAlarm(Math.max(due, Date.now()));
  }
}
