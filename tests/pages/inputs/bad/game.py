def nothing(:
