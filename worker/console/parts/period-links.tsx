interface Props {
  periods: readonly { name: string; href: string; isChosen: boolean }[];
}

export const PeriodLinks = ({ periods }: Props) => (
  <nav aria-label="Period">
    {periods.map(({ name, href, isChosen }) => (
      <a key={name} href={href} aria-current={isChosen ? 'true' : undefined}>
        {name}
      </a>
    ))}
  </nav>
);
