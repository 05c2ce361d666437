import styles from './invitee.module.css';

export type Act =
  | 'accept'
  | 'decline'
  | 'stop'
  | 'block'
  | 'block_only'
  | 'report'
  | 'everyone'
  | 'back';

/** What a button does. */
const notes = {
  block_only: 'block_text',
  report: 'report_text',
  everyone: 'everyone_text',
} as const;

interface Props {
  text: Readonly<Record<Act | (typeof notes)[keyof typeof notes], string>>;
  choices: readonly Act[];
  pending: boolean;
  onChoose: (id: Act) => void;
}

/** Neither answer is easier to give than the other. */
export function EqualButtons({ text, choices, pending, onChoose }: Props) {
  const isNoted = (id: Act): id is keyof typeof notes => id in notes;
  const buttonOf = (id: Act) => (
    <button
      key={id}
      className={id === 'block' || id === 'back' ? 'text-button' : `button ${styles.choice}`}
      id={id}
      type="button"
      aria-disabled={pending || undefined}
      onClick={() => pending || onChoose(id)}
    >
      {text[id]}
      {isNoted(id) && <span className="note">{text[notes[id]]}</span>}
    </button>
  );
  const look = choices.some((id) => id === 'accept') ? styles.pair : 'stack';
  return <div className={`gap-8 ${look}`}>{choices.map(buttonOf)}</div>;
}
