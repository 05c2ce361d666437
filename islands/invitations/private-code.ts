export function watchPrivateCode(take: (code: string) => void): () => void {
  const report = () => {
    const code = location.hash.slice(1);
    if (code) history.replaceState({ ...history.state, code }, '', location.pathname);
    take(history.state?.code ?? '');
  };
  report();
  addEventListener('hashchange', report);
  return () => removeEventListener('hashchange', report);
}
