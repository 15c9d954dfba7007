import type { FastifyReply } from 'fastify';

/** Says to caches that an answer depends on a header of its request, beside those it says already. */
export function addVary(reply: FastifyReply, ...names: readonly string[]): void {
  const before = reply.getHeader('vary');
  const known = before === undefined ? [] : String(before).split(', ');
  reply.header('vary', [...new Set([...known, ...names])].join(', '));
}
