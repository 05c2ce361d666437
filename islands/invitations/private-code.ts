/**
 * Tells the code that the page was opened by, which `arrive` put into the history entry (empty for
 * none), and each one that comes while the page stays, which goes the same way.
 *
 * @returns what ends it
 */
export function watchPrivateCode(take: (code: string) => void): () => void {
  const tell = () => {
    const code = location.hash.slice(1);
    if (code) history.replaceState({ ...history.state, code }, '', location.pathname);
    take(history.state?.code ?? '');
  };
  tell();
  addEventListener('hashchange', tell);
  return () => removeEventListener('hashchange', tell);
}
