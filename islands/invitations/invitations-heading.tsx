import styles from './invitations.module.css';

type Props = {
  title: string;
  /** Opens the form, if that takes a press. */
  onOpen: (() => void) | undefined;
  /** Whether the page's title already says the same. */
  hidden: boolean;
};

export function InvitationsHeading({ title, onOpen, hidden }: Props) {
  if (hidden) return <h2 className="visually-hidden">{title}</h2>;
  if (!onOpen) return <h2 className="title">{title}</h2>;
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
