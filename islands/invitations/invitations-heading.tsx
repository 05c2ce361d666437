import { StepHeading } from '../ui/step-heading.tsx';
import styles from './invitations.module.css';

type Props = {
  title: string;
  /** The step's number in a checklist. */
  step: number | undefined;
  /** Shown once the step is done. */
  done: string | false;
  /** Whether the form below is open, where a press opens and closes it. */
  open: boolean | undefined;
  onToggle: () => void;
};

export function InvitationsHeading({ title, step, done, open, onToggle }: Props) {
  if (step) return <StepHeading number={step} title={title} done={done} />;
  return (
    <h2 className="title">
      {open === undefined ? (
        title
      ) : (
        <button
          className={`text-button row spread chevron ${styles.fold}`}
          id="invite"
          type="button"
          aria-expanded={open}
          onClick={onToggle}
        >
          {title}
        </button>
      )}
    </h2>
  );
}
