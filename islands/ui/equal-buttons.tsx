import styles from './equal-buttons.module.css';

type Props = {
  choices: readonly { id: string; label: string }[];
  /** Work is under way: no button takes a click. */
  pending: boolean;
  onChoose: (id: string) => void;
};

/** Answers that weigh the same: one look, one size, in the order in which they are given. */
export function EqualButtons({ choices, pending, onChoose }: Props) {
  return (
    <div className={styles.choices}>
      {choices.map(({ id, label }) => (
        <button
          key={id}
          className={styles.choice}
          id={id}
          type="button"
          aria-disabled={pending || undefined}
          onClick={() => pending || onChoose(id)}
        >
          {label}
        </button>
      ))}
    </div>
  );
}
