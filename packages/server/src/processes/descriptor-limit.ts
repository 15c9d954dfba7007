import { readFileSync } from 'node:fs';

/**
 * How many descriptors this process and those it starts may have open; undefined where there is no
 * limit. Node has raised it to the hard limit when it began.
 */
export function readDescriptorLimit(): number | undefined {
  const limit = Number(textOnLinux() ?? textOfReport());
  return Number.isSafeInteger(limit) ? limit : undefined;
}

/** Read anew, which the report of Node is not: it costs 3 ms, and looks at everything else too. */
function textOnLinux(): string | undefined {
  try {
    return /^Max open files +(\S+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
  } catch {
    return undefined;
  }
}

function textOfReport(): string | undefined {
  // Node types its report as an object and documents what is in it; Windows has no limits.
  const report = process.report.getReport() as {
    readonly userLimits?: { readonly open_files?: { readonly soft: number | string } };
  };
  return report.userLimits?.open_files?.soft.toString();
}
