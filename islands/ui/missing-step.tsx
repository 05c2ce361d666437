type Props = { text: string; label: string; href: string };

export function MissingStep({ text, label, href }: Props) {
  return (
    <div className="card notice stack gap-16" data-missing="">
      <p>{text}</p>
      <a className="link-filled" href={href} data-navigate="">
        {label}
      </a>
    </div>
  );
}
