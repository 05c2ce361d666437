export function watchQuickExit(): () => void {
  const leave = (event: MouseEvent) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[data-leave]');
    if (!link) return;
    event.preventDefault();
    document.body.hidden = true;
    history.replaceState(null, '', location.pathname);
    location.replace(link.href);
  };
  document.addEventListener('click', leave);
  return () => document.removeEventListener('click', leave);
}
