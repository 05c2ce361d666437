import styles from './equal-buttons.module.css';

type Props = {
  choices: readonly { id: string; label: string }[];
  pending: boolean;
  onChoose: (id: string) => void;
};

export function EqualButtons({ choices, pending, onChoose }: Props) {
  return (
    <div className="stack gap-8">
      {choices.map(({ id, label }) => (
        <button
          key={id}
          className={`button ${styles.choice}`}
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
