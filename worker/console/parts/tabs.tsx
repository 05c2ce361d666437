interface Props {
  label: string;
  tabs: readonly { name: string; href: string; isChosen: boolean }[];
}

export const Tabs = ({ label, tabs }: Props) => (
  <nav className="tabs" aria-label={label}>
    {tabs.map(({ name, href, isChosen }) => (
      <a key={name} href={href} aria-current={isChosen ? 'true' : undefined}>
        {name}
      </a>
    ))}
  </nav>
);
