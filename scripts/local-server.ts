import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { CommandError, userName } from './command.ts';
import { type Site, siteAt } from './ops/admin-client.ts';

export const defaultState = '.wrangler/state';

/** A running `npm start`. Each start has its own token, so that a command cannot reach another folder's server. */
export interface LocalServer {
  url: string;
  adminToken: string;
  pid: number;
}

const fileIn = (state: string) => join(state, 'server.json');

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false; // No process has this id.
  }
}

/** The server that uses this data; null if none runs. */
export function serverOf(state: string): LocalServer | null {
  try {
    const server: LocalServer = JSON.parse(readFileSync(fileIn(state), 'utf8'));
    return isRunning(server.pid) ? server : null;
  } catch {
    return null; // No server has written the file.
  }
}

/** @returns a function that removes the record */
export function recordServer(state: string, server: Omit<LocalServer, 'pid'>): () => void {
  mkdirSync(state, { recursive: true });
  writeFileSync(fileIn(state), JSON.stringify({ ...server, pid: process.pid }), { mode: 0o600 });
  return () => rmSync(fileIn(state), { force: true });
}

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether the address is on this machine. @throws CommandError when it is not a URL */
export function isLocal(address: string): boolean {
  const url = URL.parse(address);
  if (url && /^https?:$/.test(url.protocol)) return loopback.has(url.hostname);
  throw new CommandError(`${address} is not a URL that begins with https:// or http://.`);
}

/** The address of this folder's server. @param address must be that server's, if given @throws CommandError */
export function localAddress(state: string, address?: string): string {
  const server = serverOf(state);
  if (!server) {
    throw new CommandError(
      `No server runs on the data in ${state}. Start it with npm start, or name the live site.`,
    );
  }
  if (address && URL.parse(address)?.port !== URL.parse(server.url)?.port) {
    throw new CommandError(
      `${address} belongs to another folder: the server on the data in ${state} is ${server.url}.`,
    );
  }
  return server.url;
}

export interface SiteOptions {
  site?: string;
  state: string;
}

export const withSite = (command: Command): Command =>
  command
    .option(
      '--site <url>',
      'the live site, with ADMIN_TOKEN in the environment; else the local server',
    )
    .option('--state <folder>', 'data of the local server', defaultState);

/** The live site, or the server of this folder. @throws CommandError for a server of another folder */
export function adminSiteOf({ site, state }: SiteOptions): Site {
  const token = process.env.ADMIN_TOKEN;
  if (site && (token || !isLocal(site))) return siteAt(site, token, userName());
  return siteAt(localAddress(state, site), serverOf(state)?.adminToken, userName());
}
