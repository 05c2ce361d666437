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

/** What a button does, below it. */
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
    </button>
  );
  const isNoted = (id: Act): id is keyof typeof notes => id in notes;
  return (
    <div className={choices.some(isNoted) ? 'stack gap-20' : 'stack gap-8'}>
      {choices.map((id) =>
        isNoted(id) ? (
          <div key={id} className="stack gap-8">
            {buttonOf(id)}
            <p className="note">{text[notes[id]]}</p>
          </div>
        ) : (
          buttonOf(id)
        ),
      )}
    </div>
  );
}
