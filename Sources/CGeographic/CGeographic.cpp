#include "CGeographic.h"

#include <GeographicLib/Geodesic.hpp>
#include <cmath>

using GeographicLib::Geodesic;

CGeographicInverse cgeographic_inverse(double latitude1, double longitude1, double latitude2, double longitude2) {
    CGeographicInverse way = {};
    try {
        double bearing_at_end;
        Geodesic::WGS84().Inverse(
            latitude1, longitude1, latitude2, longitude2, way.distance, way.bearing, bearing_at_end);
        // The library answers NaN to arguments that are no place.
        way.is_valid = std::isfinite(way.distance) && std::isfinite(way.bearing);
    } catch (...) {
    }
    return way;
}

CGeographicDirect cgeographic_direct(double latitude, double longitude, double bearing, double distance) {
    CGeographicDirect end = {};
    try {
        Geodesic::WGS84().Direct(latitude, longitude, bearing, distance, end.latitude, end.longitude);
        end.is_valid = std::isfinite(end.latitude) && std::isfinite(end.longitude);
    } catch (...) {
    }
    return end;
}
