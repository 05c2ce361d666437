import { Tabs } from '../../parts/tabs.tsx';

const tabs = [
  { name: 'Screens', href: '/console/texts' },
  { name: 'Claims and reviews', href: '/console/claims' },
];

export const TextTabs = ({ at }: { at: string }) => (
  <Tabs label="Texts" tabs={tabs.map((tab) => ({ ...tab, isChosen: tab.href === at }))} />
);
