/** Names of columns with codes, which stay texts also if they are digits. */
export const CODE_NAME =
  /(^|_)(id|ids|code|codes|fips|zip|zipcode|postal|postcode|plz|iata|icao|geoid|geoids|ein|phone|telephone|fax|sku|cbsa|csa|mdiv|tract|tractce|blkgrpce|statefp|countyfp|stcou|naics|nuts|bfs|siret|siren|insee|ags|gid|uuid|guid|key|lid|kennziffer|kennzahl|gkz|nummer)($|_|\d)|(fp|code|fips|_?id)$/;
