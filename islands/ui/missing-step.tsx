import styles from './missing-step.module.css';

type Props = { text: string; label: string; href: string };

export function MissingStep({ text, label, href }: Props) {
  return (
    <div className={`card stack gap-16 ${styles.missing}`} data-missing="">
      <p>{text}</p>
      <a className="link-filled" href={href} data-navigate="">
        {label}
      </a>
    </div>
  );
}
