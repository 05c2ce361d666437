import { StepHeading } from '../ui/step-heading.tsx';
import styles from './invitations.module.css';

type Props = {
  title: string;
  /** The step's number in a checklist. */
  step: number | undefined;
  /** Shown once the step is done. */
  done: string | false;
  /** Opens the form, if that takes a press. */
  onOpen: (() => void) | undefined;
  /** Whether the page's title already says the same. */
  hidden: boolean;
};

export function InvitationsHeading({ title, step, done, onOpen, hidden }: Props) {
  if (step) return <StepHeading number={step} title={title} done={done} />;
  if (!onOpen) return <h2 className={hidden ? 'visually-hidden' : 'title'}>{title}</h2>;
  return (
    <h2 className="title">
      <button
        className={`text-button row spread chevron ${styles.fold}`}
        id="invite"
        type="button"
        onClick={onOpen}
      >
        {title}
      </button>
    </h2>
  );
}
