// Geodesics of the WGS 84 ellipsoid, computed by GeographicLib (C. F. F. Karney, Algorithms for geodesics, J. Geodesy
// 87, 2013, 43-55). Degrees and metres. Results are returned by value, so that no pointer crosses the border, and no
// exception leaves a function.

#ifndef CGEOGRAPHIC_H
#define CGEOGRAPHIC_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

// The shortest way between two points.
typedef struct {
    bool is_valid;   // false: nothing else holds
    double distance; // metres
    double bearing;  // degrees clockwise from north at the first point, -180 to 180; 180 where the points coincide
} CGeographicInverse;

// Where a way ends.
typedef struct {
    bool is_valid;    // false: nothing else holds
    double latitude;  // degrees north, -90 to 90
    double longitude; // degrees east, -180 to 180
} CGeographicDirect;

// The shortest way from one point to another. Invalid where an argument is not finite or a latitude is beyond a pole.
CGeographicInverse cgeographic_inverse(double latitude1, double longitude1, double latitude2, double longitude2);

// Where one arrives who goes so many metres (backwards where negative), setting out with a bearing. Invalid where an
// argument is not finite or the latitude is beyond a pole.
CGeographicDirect cgeographic_direct(double latitude, double longitude, double bearing, double distance);

#ifdef __cplusplus
}
#endif

#endif
