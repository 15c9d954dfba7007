import type { FastifyReply } from 'fastify';

/** Adds names of request headers to `Vary`. */
export function addVary(reply: FastifyReply, ...names: readonly string[]): void {
  const before = reply.getHeader('vary');
  const known = before === undefined ? [] : String(before).split(', ');
  reply.header('vary', [...new Set([...known, ...names])].join(', '));
}
