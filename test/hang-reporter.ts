import type { Reporter, TestModule } from 'vitest/node';

/** Longer than any test may take; the longest may take an hour. */
const silenceMs = 61 * 60_000;

/**
 * Ends a run in which no test has ended for an hour, and names the files that were running. An endless loop
 * keeps the runner's own timeouts from firing, and CI would stop without a reason.
 */
export default class HangReporter implements Reporter {
  readonly #running = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  #wait(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const files = [...this.#running].join(', ') || 'none; the runner did not stop';
      process.stderr.write(`No test has ended for an hour. Files that were running: ${files}\n`);
      process.exit(1);
    }, silenceMs);
  }

  onTestRunStart(): void {
    this.#wait();
  }

  onTestModuleQueued({ relativeModuleId }: TestModule): void {
    this.#running.add(relativeModuleId);
    this.#wait();
  }

  onTestCaseResult(): void {
    this.#wait();
  }

  onTestModuleEnd({ relativeModuleId }: TestModule): void {
    this.#running.delete(relativeModuleId);
    this.#wait();
  }

  onTestRunEnd(): void {
    // Limits the time that the runner may take to stop its workers.
    this.#wait();
    this.#timer?.unref();
  }
}
