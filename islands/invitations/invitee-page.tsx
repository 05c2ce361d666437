import type { ComponentProps, FormEvent } from 'react';
import { momentText } from '../../locales/format/date-text.ts';
import { interpolate } from '../../locales/format/interpolate.ts';
import type { IslandText } from '../../locales/index.ts';
import type { Page, StreetSource } from '../../worker/rendering/page-types.ts';
import { type PlaceText, SharedLocation } from '../maps/shared-location.tsx';
import { ContinueButton } from '../ui/continue-button.tsx';
import { Field, TextInput } from '../ui/field.tsx';
import { Spinner } from '../ui/spinner.tsx';
import { type Act, EqualButtons } from './equal-buttons.tsx';
import { Helpline } from './helpline.tsx';
import styles from './invitee.module.css';
import type { InviteeSlice } from './invitee-store.ts';

function Fact({ title, sentence }: { title: string; sentence: string }) {
  return (
    <div className={`padded ${styles.fact}`}>
      <dt className="note">{title}</dt>
      <dd>{sentence}</dd>
    </div>
  );
}

function ConsentFacts({ text, language, invitation }: QuestionProps) {
  const date = momentText(invitation.answer_by, language);
  const facts = [
    [text.what, text.what_text],
    [text.long, text[`long_${invitation.duration}`]],
    [text.no, interpolate(text.no_text, { date })],
  ] as const;
  return (
    <dl className="list">
      {facts.map(([title, sentence]) => (
        <Fact key={title} title={title} sentence={sentence} />
      ))}
    </dl>
  );
}

type FormProps = Omit<ComponentProps<typeof TextInput>, 'error'> & {
  label: string;
  action: string;
  error: string;
  pending: boolean;
  onSend: (typed: string) => void;
};

function OneFieldForm({ id, label, action, error, pending, onSend, ...input }: FormProps) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const typed = String(new FormData(event.currentTarget).get(id) ?? '').trim();
    if (typed && !pending) onSend(typed);
  };
  return (
    <form className="stack gap-12" method="post" noValidate onSubmit={submit}>
      <Field id={id} label={label} dir="ltr" error={error}>
        <TextInput id={id} error={error} {...input} />
      </Field>
      <ContinueButton id={`send-${id}`} label={action} pending={pending} />
    </form>
  );
}

/** The current step of blocking the requester; empty if there is none. */
export type BlockStep = '' | 'blocking' | 'number';

export type InviteeText = IslandText['invitee-response'] & PlaceText & { live: string };

type Props = {
  text: InviteeText;
  title: string;
  lead: string;
  language: string;
  streetSource: StreetSource | null;
  help: Page['helpline'];
  now: InviteeSlice;
  step: BlockStep;
  appHref: string;
  onHeading?: (heading: HTMLElement | null) => void;
  onAction: (act: Act) => void;
  onNumber: (phone: string) => void;
  onCode: (digits: string) => void;
  onRetry: () => void;
};

const answers = {
  pending: ['accept', 'decline'],
  shared: [],
  over: [],
  blocked: [],
  blocking: ['block_only', 'report', 'everyone', 'back'],
  number: ['back'],
  code: ['back'],
} as const satisfies Record<string, readonly Act[]>;

/** Without a code that is known nobody can tell which request it is, nor whether something is shared. */
const broken = new Set<string>(['missing', 'unknown']);

function WithoutRequest({ text, title, lead, help, now, onRetry }: Props) {
  const { stage } = now;
  const isBroken = broken.has(stage);
  const words = text[stage as Exclude<typeof stage, 'open'>];
  return (
    <div className="stack gap-24">
      <div className="stack gap-12">
        <h1 tabIndex={-1}>{isBroken ? words : title}</h1>
        {!isBroken && <p className="lead">{lead}</p>}
      </div>
      <p className="row gap-12" role="status" data-waits={stage === 'waiting' ? '' : undefined}>
        {stage === 'waiting' && <Spinner />}
        <span>{isBroken ? text.reopen : words}</span>
      </p>
      {stage === 'failed' && <ContinueButton label={text.retry} type="button" onClick={onRetry} />}
      <Helpline text={text} help={help} />
    </div>
  );
}

type QuestionProps = Pick<Props, 'text' | 'language'> & {
  invitation: NonNullable<InviteeSlice['invitation']>;
};

type LiveProps = Pick<Props, 'text' | 'appHref'> & { name: string };

/** Optional and closed, after the yes, below Stop: nothing more is shared by it. */
function ShareLive({ text, appHref, name }: LiveProps) {
  return (
    <details>
      <summary className="text-button row gap-8 chevron">
        {interpolate(text.live_ask, { name })}
      </summary>
      <div className="stack gap-12">
        <p>{text.live}</p>
        <a className="link-outlined" id="get-app" href={appHref} rel="noreferrer">
          {text.live_get}
        </a>
      </div>
    </details>
  );
}

/** Whoever opens the link again sees a hidden request as one that goes on. */
function endWords(text: Props['text'], { blocked, hidden }: QuestionProps['invitation']): string {
  if (blocked) return blocked === 'everyone' ? text.nobody : text.blocked;
  return hidden ? '' : text.over_text;
}

/** Asks for the number that gets no more messages, then for the code sent to it. */
function OptOut({ text, now, state, onNumber, onCode }: Props & { state: string }) {
  const { progress, fieldError } = now;
  return (
    <>
      {state === 'number' && (
        <>
          <p>{text.stop_text}</p>
          <OneFieldForm
            id="phone"
            label={text.stop_phone}
            action={text.stop_send}
            type="tel"
            inputMode="tel"
            autoComplete="tel"
            maxLength={60}
            error={fieldError}
            pending={progress !== ''}
            onSend={onNumber}
          />
        </>
      )}
      {state === 'code' && (
        <>
          <p>{text.code_text}</p>
          <OneFieldForm
            id="opt-out-code"
            label={text.code}
            action={text.code_check}
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={60}
            error={fieldError}
            pending={progress !== ''}
            onSend={onCode}
          />
        </>
      )}
    </>
  );
}

/** What is asked, by whom, and that a no costs nothing. */
function Question({
  text,
  lead,
  title,
  language,
  invitation,
}: Pick<Props, 'lead' | 'title'> & QuestionProps) {
  return (
    <>
      <p className="lead">{`${title} ${lead}`}</p>
      <p>{interpolate(text.typed, { name: invitation.name })}</p>
      <p className="note">{text.free_text}</p>
      <ConsentFacts text={text} language={language} invitation={invitation} />
    </>
  );
}

export function InviteePage(props: Props) {
  const { text, language, help, now, step, onHeading, onAction } = props;
  const { stage, invitation, drawing, progress, failure } = now;
  const date = (at: number) => momentText(at, language);
  if (stage !== 'open' || !invitation) {
    return <WithoutRequest key={stage} {...props} />;
  }
  const { name, shared, until, visible } = invitation;
  const openStep = step === 'number' && now.codeSent ? 'code' : step;
  const state = openStep || (invitation.blocked ? 'blocked' : invitation.state);
  const buttons = { text, pending: progress !== '', onChoose: onAction };
  const titles = {
    pending: interpolate(text.asks, { name }),
    // The requester's right rests: the page says so without its reason.
    shared: interpolate(visible ? text.shared : text.not_visible, { name }),
    over: text.over,
    blocked: text.blocked_title,
    blocking: text.block,
    number: text.stop_title,
    code: text.code_title,
  };
  return (
    <div key={state} className="stack gap-16">
      <h1 ref={onHeading} tabIndex={-1}>
        {titles[state]}
      </h1>
      {state === 'pending' && <Question {...props} invitation={invitation} />}
      {state === 'shared' && until && <p>{interpolate(text.until, { date: date(until) })}</p>}
      {state === 'shared' && <EqualButtons {...buttons} choices={['stop']} />}
      {state === 'shared' && shared && (
        <SharedLocation
          text={text}
          language={language}
          position={shared}
          drawing={drawing}
          source={props.streetSource}
        />
      )}
      {(state === 'over' || state === 'blocked') && (
        <p>{`${endWords(text, invitation)} ${text.gone}`}</p>
      )}
      {invitation.hidden && <p>{interpolate(text.hidden, { date: date(invitation.answer_by) })}</p>}
      <OptOut {...props} state={state} />
      <p className="status" role="status">
        {progress === 'locating' ? text.locating : failure && text[failure]}
      </p>
      {state === 'shared' && visible && props.appHref && (
        <ShareLive text={text} appHref={props.appHref} name={name} />
      )}
      {answers[state].length > 0 && <EqualButtons {...buttons} choices={answers[state]} />}
      {state === 'pending' && <p className="note">{text.asks_first}</p>}
      {state === invitation.state && !invitation.blocked && (
        <EqualButtons {...buttons} choices={['block']} />
      )}
      <Helpline text={text} help={help} />
    </div>
  );
}
