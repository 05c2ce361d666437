import { Icon, type IconName } from './icon.tsx';

type Benefit = { icon: IconName; title: string; text: string };

export function Benefits({ items }: { items: readonly Benefit[] }) {
  return (
    <ul className="stack gap-16">
      {items.map(({ icon, title, text }) => (
        <li key={title} className="beside gap-16">
          <span className="tile">
            <Icon name={icon} size={24} />
          </span>
          <span className="stack gap-2 break">
            <span className="strong">{title}</span>
            <span className="note">{text}</span>
          </span>
        </li>
      ))}
    </ul>
  );
}
