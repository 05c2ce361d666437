import type { FormEvent } from 'react';
import { momentText } from '../../locales/format/date-text.ts';
import { interpolate } from '../../locales/format/interpolate.ts';
import type { IslandText } from '../../locales/index.ts';
import type { Duration } from '../../worker/invitations/rules/invitation.ts';
import { ContinueButton } from '../ui/continue-button.tsx';
import { Field, inputClass, TextInput } from '../ui/field.tsx';
import { LinkOrApp, type LinkOrAppColumns } from '../ui/link-or-app.tsx';
import { SecondaryButton } from '../ui/secondary-button.tsx';
import styles from './invitations.module.css';
import type { useNewInvitation, Way } from './use-new-invitation.ts';

const linkDurations: readonly Duration[] = ['hour', 'day'];
const durations: readonly Duration[] = [...linkDurations, 'until_stopped'];
const maxNameLength = 20;

type Props = Omit<
  ReturnType<typeof useNewInvitation>,
  'open' | 'run' | 'clear' | 'own' | 'copyAgain'
> & {
  /** `figure`: where no other step of the page has it. */
  text: IslandText['invite-panel'] & { figure?: LinkOrAppColumns };
  language: string;
  emailVerified: boolean;
};

function Bubble({ text, language, preview, name, duration }: Props) {
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
        {preview &&
          interpolate(preview.messages[duration], { name: name.trim() || `[${text.name_here}]` })}
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

/** The ways to send it, the nearest first: a computer sends no SMS. */
function waysOf({ text, byLink, byMouse }: Props): { id: string; label: string; way: Way }[] {
  const own = { id: 'send-own', label: text.own_phone, way: 'phone' } as const;
  const ours = { id: 'send', label: text.ours, way: 'sms' } as const;
  const copy = { id: 'copy', label: text.copy_link, way: 'copy' } as const;
  if (byLink) return byMouse ? [copy, own] : [own, copy];
  return byMouse ? [ours, copy, own] : [own, ours, copy];
}

/** From the own phone, or as a link: at once. By us: after the mailbox was confirmed, and in the daytime. */
function Ways(props: Props) {
  const { text, language, preview, byLink, emailVerified, pending, onWay } = props;
  const sendsAt = preview?.sends_at;
  const later = sendsAt ? interpolate(text.later, { date: momentText(sendsAt, language) }) : '';
  const stop = preview ? interpolate(text.stop_added, { stop: preview.stop }) : '';
  const ours = `${stop} ${emailVerified ? later : text.email_first}`;
  const [first, ...others] = waysOf(props);
  return (
    <div className={`stack gap-8 ${styles.ways}`}>
      {first && (
        // Another element for another way, so that a press never sends in a way that was not read.
        <ContinueButton key={first.id} id={first.id} label={first.label} pending={pending} />
      )}
      {others.map(({ id, label, way }) => (
        <SecondaryButton key={id} id={id} label={label} type="button" onClick={() => onWay(way)} />
      ))}
      <p className="note">{byLink ? text.lead_link : ours}</p>
      <p className="note">{text.answer_free}</p>
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
    <form ref={form} className="stack gap-24" method="post" noValidate onSubmit={submit}>
      <div className="stack gap-16">
        <Receiver {...props} />
        <Field
          id="name"
          label={text.name}
          error={errors.name ?? ''}
          hint={
            <p className={name.trim() ? `note ${styles.unseen}` : 'note'}>{text.name_missing}</p>
          }
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
