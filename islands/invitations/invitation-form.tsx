import { type FormEvent, useEffect } from 'react';
import { momentText } from '../../locales/format/date-text.ts';
import { interpolate } from '../../locales/format/interpolate.ts';
import type { IslandText } from '../../locales/index.ts';
import type { Duration } from '../../worker/invitations/rules/invitation.ts';
import { ContinueButton } from '../ui/continue-button.tsx';
import { Field, inputClass, TextInput } from '../ui/field.tsx';
import { LinkOrApp, type LinkOrAppColumns } from '../ui/link-or-app.tsx';
import { SecondaryButton } from '../ui/secondary-button.tsx';
import styles from './invitations.module.css';
import type { SendWay, useNewInvitation } from './use-new-invitation.ts';

const linkDurations: readonly Duration[] = ['hour', 'day'];
const durations: readonly Duration[] = [...linkDurations, 'until_stopped'];
const maxNameLength = 20;

type Props = Omit<
  ReturnType<typeof useNewInvitation>,
  'open' | 'run' | 'clear' | 'own' | 'copyAgain' | 'markSent'
> & {
  /** `figure`: where no other step of the page has it. */
  text: IslandText['invite-panel'] & { figure?: LinkOrAppColumns };
  language: string;
  emailVerified: boolean;
};

function Bubble({ text, language, preview, name, duration }: Props) {
  const words =
    preview &&
    interpolate(preview.messages[duration], { name: name.trim() || `[${text.name_here}]` });
  useEffect(() => {
    // The picture's phone shows the same message.
    const shown = document.querySelector('[data-message]');
    if (shown && words) shown.textContent = words;
  }, [words]);
  const isForeign = preview && preview.language !== language;
  const tongue =
    isForeign && new Intl.DisplayNames(language, { type: 'language' }).of(preview.language);
  return (
    <figure className="stack gap-8">
      <figcaption className="small strong">
        {text.message}
        {tongue && ` ${interpolate(text.tongue, { language: tongue })}`}
      </figcaption>
      <blockquote
        className={`stack middle break ${styles.bubble}`}
        lang={preview?.language}
        dir="auto"
        aria-busy={preview ? undefined : true}
      >
        {words}
      </blockquote>
    </figure>
  );
}

function Receiver({ text, phone, errors, onOtherNumber, onPhone }: Props) {
  if (phone) {
    return (
      <div className={`row spread wrap ${styles.to}`}>
        <p>
          {text.to} <bdi dir="ltr">{phone}</bdi>
        </p>
        <button className="text-button" id="change-number" type="button" onClick={onOtherNumber}>
          {text.other}
        </button>
      </div>
    );
  }
  return (
    <Field id="phone" label={text.phone} dir="ltr" error={errors.phone ?? ''}>
      <TextInput
        id="phone"
        type="tel"
        inputMode="tel"
        autoComplete="off"
        error={errors.phone ?? ''}
        onBlur={({ currentTarget }) => onPhone(currentTarget.value.trim())}
      />
    </Field>
  );
}

function DurationChoice({ text, byLink, duration, onDuration }: Props) {
  return (
    <fieldset className="stack gap-8">
      <legend className={`small strong ${styles.legend}`}>{text.long}</legend>
      <div className={styles.segments}>
        {(byLink ? linkDurations : durations).map((choice) => (
          <label key={choice} className={styles.segment}>
            <input
              className="visually-hidden"
              type="radio"
              name="duration"
              value={choice}
              defaultChecked={choice === duration}
              onChange={() => onDuration(choice)}
            />
            <span>{text[choice]}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** What we do if we send it. Below the buttons, which do not grow once it is known. */
function oursNote({ text, language, preview, byLink, emailVerified }: Props): string {
  if (byLink) return text.lead_link;
  if (!preview) return '';
  const { stop, sends_at: at } = preview;
  const later =
    at && emailVerified ? interpolate(text.later, { date: momentText(at, language) }) : '';
  return `${interpolate(text.stop_added, { stop })} ${later}`;
}

/** The ways to send it, the nearest first: a computer sends no SMS. */
function waysOf(props: Props): { id: string; label: string; note?: string; way: SendWay }[] {
  const { text, byLink, byMouse, emailVerified } = props;
  const condition = emailVerified ? '' : text.email_first;
  const note = byMouse ? '' : text.own_how;
  const own = { id: 'send-own', label: text.own_phone, note, way: 'phone' } as const;
  const ours = { id: 'send', label: text.ours, note: condition, way: 'sms' } as const;
  const copy = { id: 'copy', label: text.copy_link, way: 'copy' } as const;
  if (byLink) return byMouse ? [copy, own] : [own, copy];
  return byMouse ? [ours, copy, own] : [own, ours, copy];
}

/** What a button does, with its condition. */
const labelOf = ({ label, note }: ReturnType<typeof waysOf>[number]) =>
  note ? (
    <>
      {label}
      <br />
      <span className={`small ${styles.plain}`}>{note}</span>
    </>
  ) : (
    label
  );

function Ways(props: Props) {
  const { text, pending, onWay } = props;
  const [first, ...others] = waysOf(props);
  return (
    <div className={`stack gap-8 ${styles.ways}`}>
      {first && (
        // Another element for another way, so that a press never sends in a way that was not read.
        <ContinueButton key={first.id} id={first.id} label={labelOf(first)} pending={pending} />
      )}
      {others.map((other) => (
        <SecondaryButton
          key={other.id}
          id={other.id}
          label={labelOf(other)}
          type="button"
          onClick={() => onWay(other.way)}
        />
      ))}
      {text.answer_free && <p className="note">{text.answer_free}</p>}
      <p className="note">{oursNote(props)}</p>
      {text.figure && <LinkOrApp columns={text.figure} />}
    </div>
  );
}

export function InvitationForm(props: Props) {
  const { text, name, errors, form, onName, onWay } = props;
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const [first] = waysOf(props);
    if (first) onWay(first.way);
  };
  return (
    <form ref={form} className="stack gap-20" method="post" noValidate onSubmit={submit}>
      <div className="stack gap-20">
        <Receiver {...props} />
        <Field
          id="name"
          label={text.name}
          error={errors.name ?? ''}
          hint={<p className="note">{text.name_why}</p>}
        >
          <input
            className={inputClass}
            id="name"
            name="name"
            autoComplete="given-name"
            maxLength={maxNameLength}
            dir="auto"
            defaultValue={name}
            onInput={({ currentTarget }) => onName(currentTarget.value)}
            aria-invalid={errors.name ? true : undefined}
            aria-describedby={errors.name ? 'name-error' : 'name-hint'}
          />
        </Field>
        <DurationChoice {...props} />
      </div>
      <Bubble {...props} />
      <Ways {...props} />
    </form>
  );
}
